/** A text of the shop as bare words: for search, and for those who quote an answer. */
import type { MDXContent } from "mdx/types.js";

export type Part = { id: string; title: string; text: string };
type Element = { type: unknown; props: Record<string, unknown> };

const INLINE = new Set(["a", "strong", "em", "code", "span"]);

/** A text as plain words, and those of its parts that can be linked to. */
export function plainText(Content: MDXContent): { text: string; parts: Part[] } {
  const parts: Part[] = [];
  const part = (id: string, title: string, children: unknown) => {
    const text = tidy(wordsIn(children));
    parts.push({ id, title, text });
    return `${title} ${text} `;
  };
  const text = wordsIn(
    Content({
      components: {
        Section: ({ id, title, children }: { id: string; title: string; children: unknown }) =>
          part(id, title, children),
        Question: ({ id, title, children }: { id: string; title: string; children: unknown }) =>
          part(id, title, children),
        FactTable: ({ caption, head, rows }: { caption: string; head: string[]; rows: string[][] }) =>
          [caption, ...head, ...rows.flat()].join(" "),
      },
    }),
  );
  return { text: tidy(text), parts };
}

const tidy = (text: string) => text.replace(/\s+/g, " ").trim();

function wordsIn(node: unknown): string {
  if (typeof node === "string" || typeof node === "number") return String(node);
  if (Array.isArray(node)) return node.map(wordsIn).join("");
  if (typeof node !== "object" || node === null) return "";
  const { type, props } = node as Element;
  if (typeof type === "function") return wordsIn((type as (props: unknown) => unknown)(props));
  const inside = wordsIn(props.children);
  return typeof type === "string" && INLINE.has(type) ? inside : `${inside} `;
}
