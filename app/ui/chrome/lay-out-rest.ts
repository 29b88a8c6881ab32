/**
 * Lays out what is further down (`further-down` in styles.css) while the browser has nothing else to do, one part at a time:
 * from then on a page is as long as it is, so that going back leads to where one was.
 */
export function layOutRest(): () => void {
  const root = document.documentElement;
  const parts = [...document.querySelectorAll<HTMLElement>(".further-down")];
  const whenIdle = window.requestIdleCallback ?? setTimeout;
  let isStopped = false;
  const next = () => {
    const part = parts.shift();
    if (isStopped) return;
    if (!part) return void (root.dataset.atRest = "");
    part.style.contentVisibility = "visible";
    whenIdle(next);
  };
  if (root.dataset.atRest === undefined) whenIdle(next);
  return () => void (isStopped = true);
}
