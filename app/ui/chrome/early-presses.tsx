/** What is pressed while a page is still waking up is kept, and pressed again once it is awake. */
import { use, useEffect } from "react";
import { Nonce } from "../../http/nonce.ts";

/** Links, forms and what opens a dialog by its `command` work by themselves. */
const DEAF = "button[type=button]:not([command]),[data-live] input";

/** Who comes back to a place in a page, or is sent to one, gets all of it at once: it must be as long as it will be. */
const RETURN = `performance.getEntriesByType("navigation")[0]?.type=="navigate"&&!location.hash||(document.documentElement.dataset.atRest="")`;

const KEEP = `addEventListener("click",e=>{const b=window.early&&e.target.closest("${DEAF}");b&&(e.preventDefault(),e.stopImmediatePropagation(),early.push(b))},!0);early=[]`;

export function EarlyPresses() {
  const nonce = use(Nonce);
  useEffect(() => {
    const kept = window as { early?: HTMLElement[] | null };
    const presses = kept.early ?? [];
    kept.early = null;
    // Each by itself: amid its own work React does not hydrate what is pressed, and one press follows from the other.
    for (const pressed of presses) setTimeout(() => pressed.click());
  }, []);
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: `${RETURN};${KEEP}` }} />;
}
