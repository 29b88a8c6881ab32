import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** Running text that the server has set. Its links open in place, as links.tsx has it. */
export function Prose({ html, className = "" }: { html: string; className?: string }) {
  const { hash } = useLocation();
  const text = useRef<HTMLDivElement>(null);

  // A link to an answer opens it.
  useEffect(() => {
    if (hash) text.current?.querySelector(`details[id="${CSS.escape(hash.slice(1))}"]`)?.setAttribute("open", "");
  }, [hash]);

  return <div ref={text} className={`prose ${className}`} dangerouslySetInnerHTML={{ __html: html }} />;
}
