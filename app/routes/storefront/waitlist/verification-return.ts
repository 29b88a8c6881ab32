import { useEffect } from "react";
import { useLocation } from "react-router";

/**
 * Takes `#type=signup` off the address, with which the link in the mail comes back. What it came to is a flash message
 * of the shop's: anybody can write an address.
 */
export function useVerificationReturn(): void {
  const { hash } = useLocation();
  useEffect(() => {
    // The address as it is now: the router does not hear of the fragment being cleared.
    const { hash: fragment, pathname, search } = window.location;
    if (new URLSearchParams(fragment.slice(1)).get("type") !== "signup") return;
    history.replaceState(history.state, "", pathname + search);
  }, [hash]);
}
