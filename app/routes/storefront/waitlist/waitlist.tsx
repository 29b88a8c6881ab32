import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useVisitorState } from "#app/ui/chrome/visitor-state.tsx";
import { dismissWaitlist, isWaitlistSettled } from "#app/ui/chrome/local-storage.ts";
import { clock } from "#shop/clock.ts";

const OPENS_AFTER_MS = 30_000;
const LOOK_AGAIN_MS = 1_000;

const load = () => import("./waitlist-popup.tsx");

/** Visitors in a dialog or typing are not interrupted. */
const isBusy = () =>
  document.querySelector("dialog[open]") !== null ||
  document.activeElement?.matches("input:not([type=radio], [type=checkbox]), textarea, select") === true;

/** The waitlist popup opens once, for a guest without a cart who has stayed for half a minute. */
export function Waitlist() {
  const { ready, customer, cartCount } = useVisitorState();
  const mayOpen = ready && !customer && cartCount === 0;
  const [openAt] = useState(() => clock.now().getTime() + OPENS_AFTER_MS);
  const [Popup, setPopup] = useState<Awaited<ReturnType<typeof load>>["WaitlistPopup"] | null>(null);

  useEffect(() => {
    if (!mayOpen || isWaitlistSettled()) return;
    let timer: ReturnType<typeof setTimeout>;
    const open = () => {
      if (isWaitlistSettled()) return;
      if (isBusy()) timer = setTimeout(open, LOOK_AGAIN_MS);
      else
        load().then(
          ({ WaitlistPopup }) => setPopup(() => WaitlistPopup),
          () => {},
        );
    };
    timer = setTimeout(open, Math.max(0, openAt - clock.now().getTime()));
    return () => clearTimeout(timer);
  }, [mayOpen, openAt]);

  if (!Popup) return null;
  return (
    <Popup
      onClose={(as) => {
        dismissWaitlist(as);
        setPopup(null);
      }}
    />
  );
}

/**
 * Removes `#type=signup` of the email's link from the URL. The result comes as a flash message, because anyone can
 * write a URL.
 */
export function useVerificationReturn(): void {
  const { hash } = useLocation();
  useEffect(() => {
    // The router's location misses the cleared fragment.
    const { hash: fragment, pathname, search } = window.location;
    if (new URLSearchParams(fragment.slice(1)).get("type") !== "signup") return;
    history.replaceState(history.state, "", pathname + search);
  }, [hash]);
}
