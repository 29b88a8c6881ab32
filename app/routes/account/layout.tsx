/** Private pages are left once the session ends, here or in another tab. */
import { useEffect, useRef } from "react";
import { Outlet, useNavigate } from "react-router";
import { useVisitorState } from "#app/ui/chrome/visitor-state.tsx";

export default function AccountLayout() {
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

  return <Outlet />;
}
