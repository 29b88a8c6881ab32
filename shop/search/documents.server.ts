/** What of the shop's texts can be found: pages, posts, questions, and each section of a policy. */
import type { MDXContent } from "mdx/types.js";
import { brand } from "../brand.ts";
import { PRODUCT_CONTENT } from "../catalog/product-content.ts";
import { legal, pages, posts } from "../content/texts.server.ts";
import { policy } from "../policies.ts";
import type { ResultKind } from "./result.ts";

export type TextDocument = {
  id: string;
  kind: Exclude<ResultKind, "product">;
  path: string | null;
  title: string;
  place: string;
  body: string;
};

type Part = { id: string; title: string; text: string };
type Element = { type: unknown; props: Record<string, unknown> };

const INLINE = new Set(["a", "strong", "em", "code", "span"]);

/** A text as plain words, and those of its parts that can be linked to. */
function read(Content: MDXContent): { text: string; parts: Part[] } {
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

type Front = { title: string; description: string; heading?: string; intro?: string };

function page(
  path: string,
  { front, Content }: { front: Front; Content: MDXContent },
  more: string[] = [],
): TextDocument {
  const body = [front.description, front.heading, front.intro, ...more, read(Content).text].filter(Boolean).join(" ");
  return { id: path, kind: "page", path, title: front.title, place: "", body };
}

/** Everything there is to find that is not a product. */
export function textDocuments(): TextDocument[] {
  const { howItWorks, science, about, support } = pages;
  return [
    page(
      "/how-it-works",
      howItWorks,
      howItWorks.front.steps.flatMap(({ title, text }) => [title, text]),
    ),
    page(
      "/science",
      science,
      science.front.cards.flatMap(({ title, text }) => [title, text]),
    ),
    page("/about", about),
    {
      ...page("/support", { front: support.front, Content: () => [] }, [policy.supportHours, brand.supportEmail]),
      title: "Support and contact",
    },
    ...posts.map(({ slug, front, Content }): TextDocument => {
      const path = `/blog/${slug}`;
      const body = `${front.description} ${read(Content).text}`;
      return { id: path, kind: "post", path, title: front.title, place: `Blog, ${front.category}`, body };
    }),
    ...read(support.Content).parts.map(({ id, title, text }): TextDocument => {
      const path = `/support#${id}`;
      return { id: path, kind: "question", path, title, place: "Support", body: text };
    }),
    ...PRODUCT_CONTENT.faqs.map(({ question, answer }): TextDocument => ({
      id: `question:${question}`,
      kind: "question",
      path: null,
      title: question,
      place: "Questions about our bowls",
      body: answer,
    })),
    ...Object.entries(legal).flatMap(([name, { front, Content }]): TextDocument[] => {
      const { parts } = read(Content);
      const body = [front.intro, ...parts.map(({ title }) => title)].join(" ");
      return [
        { id: `/${name}`, kind: "policy", path: `/${name}`, title: front.title, place: "", body },
        ...parts.map(({ id, title, text }): TextDocument => {
          const path = `/${name}#${id}`;
          return { id: path, kind: "policy", path, title, place: front.title, body: text };
        }),
      ];
    }),
  ];
}
