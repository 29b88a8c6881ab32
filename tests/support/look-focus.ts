/** Whether the focus can be followed by eye, all the way through a page. */
import type { Eyes } from "./look.ts";

export function focusQuestions({ comesToRest, styleOf, name, labelsOf, rgba, ratio, ground, outline, reaches }: Eyes) {
  /** Whether what has the focus shows it: by an outline of its own, of its overlay, or of what stands around it. */
  const focusFault = (focused: Element) => {
    // A slider's thumb shows it, which no style tells.
    if (focused.matches("[type=range]")) return false;
    let element: Element | null = focused;
    const labels = labelsOf(focused);
    for (let up = 0; element && element !== document.body && up < 5; up++, element = element.parentElement) {
      for (const shows of [element, ...(up === 0 ? labels : [])]) {
        const drawn = outline(styleOf(shows)) ?? outline(styleOf(shows, "::after"));
        if (!drawn) continue;
        const isOutside = Number.parseFloat(drawn.outlineOffset) >= 0;
        const found = ratio(rgba(drawn.outlineColor), ground(isOutside ? shows.parentElement : shows));
        return found < 3 && `its outline has ${found.toFixed(2)}:1`;
      }
    }
    return "does not show its focus";
  };
  const isCovered = (focused: Element) => {
    if (focused.matches("[type=range]")) return false;
    const goals = [focused, ...labelsOf(focused)];
    const points = goals.flatMap((goal) =>
      [...goal.getClientRects()].flatMap(({ left, right, top, bottom }) => {
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        return [
          [x, y],
          [left + 4, top + 4],
          [right - 4, top + 4],
          [left + 4, bottom - 4],
          [right - 4, bottom - 4],
        ] as const;
      }),
    );
    return !points.some(([x, y]) => reaches(x, y, goals));
  };

  const faultsOf = (focused: Element) =>
    [focusFault(focused), isCovered(focused) && "is hidden while it has the focus"].filter(Boolean);

  const walked = { faults: [] as string[], stops: 0, isRound: false };
  let first: Element | null = null;
  let seen: Element | null = null;
  /** What has come to rest since it got the focus. */
  let rested: Element | null = null;
  const onTab = (event: KeyboardEvent) => {
    const focused = document.activeElement;
    if (event.key !== "Tab" || !focused || focused === document.body) return;
    if (focused !== seen) {
      if (focused === first) walked.isRound = true;
      first ??= focused;
      seen = focused;
      rested = null;
      if (!walked.isRound) walked.stops++;
    }
    if (walked.isRound || focused.localName === "iframe") return;
    const faults = faultsOf(focused);
    if (faults.length === 0) return;
    if (rested === focused) return void walked.faults.push(...faults.map((fault) => `${name(focused)} ${fault}`));
    // The focus stays until the page rests.
    event.preventDefault();
    void comesToRest(() => faultsOf(focused).length === 0).then(() => (rested = focused));
  };

  return {
    /** A bar that may come up from the lower edge. */
    hasBarAtFoot: () =>
      [...document.querySelectorAll(".fixed.bottom-0")].some((bar) => styleOf(bar).display !== "none"),

    /** From now on every Tab looks at what it leaves; `walked` says what was seen, and whether it is back at its start. */
    watchFocus() {
      Object.assign(walked, { faults: [], stops: 0, isRound: false });
      first = seen = rested = null;
      (document.activeElement as HTMLElement | null)?.blur();
      scrollTo(0, 0);
      addEventListener("keydown", onTab, true);
    },
    walked: () => walked,
  };
}
