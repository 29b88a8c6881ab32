import { useEffect } from "react";
import { useLocation } from "react-router";
import { usePersonal } from "../../../ui/chrome/visitor-state.tsx";
import { notify } from "../../../ui/feedback/toast.ts";
import { settleWaitlist } from "./waitlist-memory.ts";

const TOAST_MS = 6_000;

/** Says that the email is verified to whoever comes back from the link in the mail (SPEC 2: #type=signup). */
export function useVerificationReturn(): void {
  const { ready, customer } = usePersonal();
  const isVerified = ready && customer?.emailVerified !== false;
  const { hash } = useLocation();

  useEffect(() => {
    // The address as it is now: the router does not hear of the fragment being cleared.
    const { hash: fragment, pathname, search } = window.location;
    if (!isVerified || new URLSearchParams(fragment.slice(1)).get("type") !== "signup") return;
    history.replaceState(history.state, "", pathname + search);
    settleWaitlist("joined");
    notify("Email Verified!", undefined, { duration: TOAST_MS });
  }, [isVerified, hash]);
}
