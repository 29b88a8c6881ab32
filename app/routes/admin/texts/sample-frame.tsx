/** A page or an email as it will be, in a frame without scripts. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Sample } from "./state.server.ts";

/** Height of the store's header, below which a part begins. */
const HEADER = 88;

/** Replaces only what differs, so that the frame stays where it was scrolled to and no picture flickers. */
function update(shown: Node, next: Node): void {
  if (shown.isEqualNode(next)) return;
  const [parts, nextParts] = [[...shown.childNodes], [...next.childNodes]];
  const isInside = parts.length === nextParts.length && shown.cloneNode().isEqualNode(next.cloneNode());
  if (isInside && parts.length > 0) for (const [i, part] of parts.entries()) update(part, nextParts[i]!);
  else shown.parentNode?.replaceChild(next, shown);
}

export function SampleFrame({ name, subject, html, at = "", className }: Sample & { className: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [first] = useState(html);
  const show = useCallback(() => {
    const body = frame.current?.contentDocument?.body;
    if (body) update(body, new DOMParser().parseFromString(html, "text/html").body);
  }, [html]);
  useEffect(show, [show]);
  const begin = () => {
    show();
    const part = frame.current?.contentDocument?.getElementById(at);
    // To scroll it into view would scroll the page around the frame as well.
    if (part) part.ownerDocument.documentElement.scrollTop = part.getBoundingClientRect().top - HEADER;
  };
  return (
    <figure className={`flex w-full flex-col gap-1 ${className}`}>
      {subject && (
        <figcaption>
          {name}: <span className="font-medium">{subject}</span>
        </figcaption>
      )}
      <iframe
        ref={frame}
        title={name}
        srcDoc={first}
        onLoad={begin}
        sandbox="allow-same-origin"
        className="w-full grow border border-line bg-white"
      />
    </figure>
  );
}
