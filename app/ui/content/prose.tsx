import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** Prose that the server rendered to HTML. */
export function Prose({ html, className = "" }: { html: string; className?: string }) {
  const { hash } = useLocation();
  const text = useRef<HTMLDivElement>(null);

  // A fragment link to an answer opens its details element.
  useEffect(() => {
    if (hash) text.current?.querySelector(`details[id="${CSS.escape(hash.slice(1))}"]`)?.setAttribute("open", "");
  }, [hash]);

  return <div ref={text} className={`prose ${className}`} dangerouslySetInnerHTML={{ __html: html }} />;
}
