import { useEffect, useState } from "react";
import { useVisitorState } from "../../../ui/chrome/visitor-state.tsx";
import { isWaitlistSettled, settleWaitlist } from "../../../ui/chrome/waitlist-memory.ts";

const OPENS_AFTER_MS = 30_000;
const FETCH_AHEAD_MS = 5_000;
const LOOK_AGAIN_MS = 1_000;

const load = () => import("./waitlist-popup.tsx");

/** Whether the visitor is in the middle of something: in a dialog, or typing. */
const isBusy = () =>
  document.querySelector("dialog[open]") !== null ||
  document.activeElement?.matches("input:not([type=radio], [type=checkbox]), textarea, select") === true;

/** The waitlist popup opens by itself, once, for a guest who has stayed for half a minute. */
export function Waitlist() {
  const { ready, customer } = useVisitorState();
  const isGuest = ready && !customer;
  const [openAt] = useState(() => Date.now() + OPENS_AFTER_MS);
  const [Popup, setPopup] = useState<Awaited<ReturnType<typeof load>>["WaitlistPopup"] | null>(null);

  useEffect(() => {
    if (!isGuest || isWaitlistSettled()) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const after = (ms: number, step: () => void) => {
      timer = setTimeout(step, Math.max(0, ms));
    };
    const open = () => {
      if (isWaitlistSettled()) return;
      if (isBusy()) return after(LOOK_AGAIN_MS, open);
      load().then(
        ({ WaitlistPopup }) => setPopup(() => WaitlistPopup),
        () => {},
      );
    };
    const fetchAhead = () => {
      load().catch(() => {});
      after(openAt - Date.now(), open);
    };
    after(openAt - FETCH_AHEAD_MS - Date.now(), fetchAhead);
    return () => clearTimeout(timer);
  }, [isGuest, openAt]);

  if (!Popup) return null;
  return (
    <Popup
      onClose={(as) => {
        settleWaitlist(as);
        setPopup(null);
      }}
    />
  );
}
