/** What is pressed while a page is still waking up is kept, and pressed again once it is awake. */
import { useEffect } from "react";

/** Links and forms work by themselves; so does what opens a dialog by its `command`, which is let wait for the next picture. */
const DEAF = "button[type=button]:not([command]),[data-live] input";

/** Who comes back to a place in a page, or is sent to one, gets all of it at once: it must be as long as it will be. */
const RETURN = `performance.getEntriesByType("navigation")[0]?.type==="navigate"&&!location.hash||(document.documentElement.dataset.atRest="")`;

/**
 * React answers the first of these by waking up at once all that they are about, before anything is painted; left alone it
 * does so bit by bit while the finger stays. Keys that are not typed into a field may be meant for it.
 */
const UNTIMELY = "click mouseover pointerdown focusin pointerup keydown keyup input focusout";

const KEEP = `for(const t of "${UNTIMELY}".split(" "))addEventListener(t,e=>{
if(!window.early)return;
const at=q=>t==="click"&&e.target.closest(q),deaf=at("${DEAF}"),opens=at("[command]");
if(deaf||opens)e.preventDefault();
if(deaf)early.push(deaf);
if(opens)requestAnimationFrame(()=>setTimeout(()=>{const d=document.getElementById(opens.getAttribute("commandfor"));d.open||d.showModal()}));
if(deaf||opens||(t==="click"?at("input,textarea"):!e.key||e.target.matches("input,textarea")))e.stopImmediatePropagation()
},!0);early=[]`;

/** Stands before a document's styles (entry.server.tsx). */
export const EARLY_PRESSES = `${RETURN};${KEEP}`;

/** Presses again what was kept, now that the page is awake. */
export function useEarlyPresses(): void {
  useEffect(() => {
    const kept = window as { early?: HTMLElement[] | null };
    const presses = kept.early ?? [];
    kept.early = null;
    // Each by itself: amid its own work React does not hydrate what is pressed, and one press follows from the other.
    for (const pressed of presses) setTimeout(() => pressed.click());
  }, []);
}
