import { useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { useVisitorState } from "../ui/chrome/visitor-state.tsx";

/** For a page of private things: it is left as soon as it is known that its session has ended, here or in another tab. */
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
