import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";

/** Running text that the server has set. Its links within the shop open without a reload. */
export function Prose({ html, className = "" }: { html: string; className?: string }) {
  const navigate = useNavigate();
  const { hash } = useLocation();
  const text = useRef<HTMLDivElement>(null);

  // A link to an answer opens it.
  useEffect(() => {
    if (hash) text.current?.querySelector(`details[id="${CSS.escape(hash.slice(1))}"]`)?.setAttribute("open", "");
  }, [hash]);

  useEffect(() => {
    const element = text.current;
    function follow(event: MouseEvent) {
      const link = (event.target as Element).closest("a");
      if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      if (link.origin !== location.origin || link.target) return;
      event.preventDefault();
      void navigate(link.pathname + link.search + link.hash);
    }
    element?.addEventListener("click", follow);
    return () => element?.removeEventListener("click", follow);
  }, [navigate]);

  return <div ref={text} className={`prose ${className}`} dangerouslySetInnerHTML={{ __html: html }} />;
}
