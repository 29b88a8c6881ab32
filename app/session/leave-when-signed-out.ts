import { useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { useVisitorState } from "../ui/chrome/visitor-state.tsx";

/** For private pages: leads to sign-in as soon as the session is known to have ended, here or in another tab. */
export function useLeaveWhenSignedOut(): void {
  const { ready, customer } = useVisitorState();
  const navigate = useNavigate();
  const wasIn = useRef(false);

  useEffect(() => {
    if (customer) wasIn.current = true;
    else if (ready && wasIn.current) {
      wasIn.current = false;
      const here = location.pathname + location.search;
      void navigate(`/auth?redirect=${encodeURIComponent(here)}`, { replace: true });
    }
  }, [ready, customer, navigate]);
}
