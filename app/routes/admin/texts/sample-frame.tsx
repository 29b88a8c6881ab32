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

/** The words at the cursor of the Markdown, without its signs: the longest of its line, or of the last above with any. */
function wordsAtCursor(): { isHeading: boolean; words: string } {
  const area = document.activeElement;
  if (!(area instanceof HTMLTextAreaElement) || area.name !== "markdown") return { isHeading: false, words: "" };
  const { value, selectionEnd } = area;
  const end = value.indexOf("\n", selectionEnd);
  const line = (end < 0 ? value : value.slice(0, end)).split("\n").findLast((one) => /\p{L}/u.test(one)) ?? "";
  const pieces = line.replaceAll(/\]\([^)]*\)|\{[^}]*\}/g, "|").split(/[*_`>|[\]\\]|^\s*(?:#+|!|-|\d+\.)\s*/);
  const words = pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "").trim();
  return { isHeading: line.startsWith("#"), words };
}

/** Scrolls to what is written at the cursor, unless it is in sight. */
function follow(shown: Document): void {
  const { isHeading, words } = wordsAtCursor();
  const parts = words ? [...shown.querySelectorAll(isHeading ? "h2, h3" : "p, li, th, td")] : [];
  const part = parts.find(({ textContent }) => textContent.includes(words))?.getBoundingClientRect();
  const page = shown.documentElement;
  if (part?.height && (part.top < HEADER || part.bottom > page.clientHeight))
    page.scrollTop += part.top - page.clientHeight / 3;
}

export function SampleFrame({ name, to, subject, html, at = "", className }: Sample & { className: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [first] = useState(html);
  const show = useCallback(() => {
    const shown = frame.current?.contentDocument;
    if (!shown?.body) return;
    update(shown.body, new DOMParser().parseFromString(html, "text/html").body);
    follow(shown);
  }, [html]);
  useEffect(show, [show]);
  useEffect(() => {
    const move = () => frame.current?.contentDocument && follow(frame.current.contentDocument);
    document.addEventListener("selectionchange", move);
    return () => document.removeEventListener("selectionchange", move);
  }, []);
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
          <span className="font-semibold">{name.charAt(0).toUpperCase() + name.slice(1)}</span>
          <dl className="grid grid-cols-[auto_1fr] gap-x-3 [&>dt]:text-ink-soft">
            {to && (
              <>
                <dt>To</dt>
                <dd>{to}</dd>
              </>
            )}
            <dt>Subject</dt>
            <dd className="font-medium">{subject}</dd>
          </dl>
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
