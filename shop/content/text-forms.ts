/** Texts as Markdown, for readers without a browser and for the editor, and as plain text. */
import type { MDXContent } from "mdx/types.js";
import { wordNames } from "./text-words.ts";

type Props = {
  children?: Node;
  id?: string;
  href?: string;
  src?: string;
  alt?: string;
  title?: string;
  caption?: string;
  head?: string[];
  rows?: string[][];
};
type Element = { type: unknown; props: Props };
type Node = string | number | boolean | null | undefined | Element | Node[];

const components = { Section: "Section", Question: "Question", FactTable: "FactTable" };

/** Markdown for readers. `address` is the full address of the page, the base of relative links. */
export const markdownOf = (Content: MDXContent, address: string): string =>
  written(Content({ components }) as Node, { link: (href) => new URL(href, address).href });

/** Markdown for the editor: links and pictures as they were written, names in place of numbers, ids of headings. */
export const sourceOf = (Content: MDXContent): string =>
  written(Content({ components, words: wordNames }) as Node, { link: (href) => href, isSource: true });

function written(
  content: Node,
  { link, isSource = false }: { link(href: string): string; isSource?: boolean },
): string {
  let sections = 0;
  const headed = (title = "", id = "") => `## ${title}${isSource && id ? ` {#${id}}` : ""}`;

  const inline = (node: Node): string => {
    if (Array.isArray(node)) return node.map(inline).join("");
    if (!isElement(node))
      return typeof node === "string" || typeof node === "number" ? escapeMarkdown(String(node)) : "";
    const { type, props } = node;
    const text = inline(props.children);
    if (type === "a") return `[${text}](${link(props.href ?? "")})`;
    if (type === "br") return isSource ? "\\\n" : "\n";
    if (type === "img") return isSource ? `![${props.alt ?? ""}](${props.src ?? ""})` : "";
    if (type === "code") return `\`${wordsIn(props.children)}\``;
    if (type === "strong") return `**${text}**`;
    if (type === "em") return `_${text}_`;
    return text;
  };

  /** The words of a list item, and below them what else it holds, such as a list of its own. */
  const item = (children: Node): string => {
    const all = flat(children);
    const below = all.findIndex((node) => isElement(node) && BELOW.has(node.type));
    if (below === -1) return inline(all).trim();
    return [inline(all.slice(0, below)).trim(), ...all.slice(below).map(block)].filter(Boolean).join("\n");
  };

  const list = (node: Node, mark: (index: number) => string): string =>
    elements(node)
      .map(({ props }, i) => {
        const start = `${mark(i)} `;
        return start + item(props.children).replaceAll("\n", `\n${" ".repeat(start.length)}`);
      })
      .join("\n");

  const block = (node: Node): string => {
    if (Array.isArray(node)) return blocks(node.map(block));
    if (!isElement(node)) return inline(node).trim();
    const { type, props } = node;
    if (typeof type === "function") return block((type as (props: Props) => Node)(props));
    switch (type) {
      case "h2":
        return headed(inline(props.children), props.id);
      case "h3":
        return `### ${inline(props.children)}`;
      case "p":
        return inline(props.children).trim();
      case "ul":
        return list(props.children, () => "-");
      case "ol":
        return list(props.children, (i) => `${i + 1}.`);
      case "Section":
        return blocks([
          isSource ? headed(props.title, props.id) : `## ${++sections}. ${props.title}`,
          block(props.children),
        ]);
      case "Question":
        return blocks([headed(props.title, props.id), block(props.children)]);
      case "blockquote":
        return block(props.children).replaceAll(/^/gm, "> ");
      case "pre":
        return `\`\`\`\n${wordsIn(props.children).trim()}\n\`\`\``;
      case "hr":
        return "---";
      case "FactTable":
        return blocks([props.caption && `**${props.caption}**`, markdownTable(props.head ?? [], props.rows ?? [])]);
      default:
        return block(props.children);
    }
  };

  return block(content);
}

/** Joins the non-empty parts with blank lines. */
export function blocks(parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join("\n\n");
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => escapeMarkdown(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Escapes Markdown in text from outside. */
export function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\*_[\]<`]/g, "\\$&");
}

const flat = (node: Node): Node[] => (Array.isArray(node) ? node.flatMap(flat) : [node]);

const elements = (node: Node): Element[] => flat(node).filter(isElement);

/** Elements that a list item may hold below its words. */
const BELOW = new Set<unknown>(["p", "ul", "ol", "blockquote", "pre"]);

function isElement(node: Node): node is Element {
  return typeof node === "object" && node !== null && !Array.isArray(node);
}

export type Part = { id: string; title: string; text: string };

const INLINE = new Set<unknown>(["a", "strong", "em", "code", "span"]);

/** The text without markup, for search and quotes, and its linkable sections. */
export function plainText(Content: MDXContent): { text: string; parts: Part[] } {
  const parts: Part[] = [];
  const part = ({ id, title, children }: Omit<Part, "text"> & Props) => {
    const text = tidy(wordsIn(children));
    parts.push({ id, title, text });
    return `${title} ${text} `;
  };
  const FactTable = ({ caption, head = [], rows = [] }: Props) => [caption, ...head, ...rows.flat()].join(" ");
  const text = wordsIn(Content({ components: { Section: part, Question: part, FactTable } }) as Node);
  return { text: tidy(text), parts };
}

const tidy = (text: string) => text.replace(/\s+/g, " ").trim();

function wordsIn(node: Node): string {
  if (Array.isArray(node)) return node.map(wordsIn).join("");
  if (!isElement(node)) return typeof node === "string" || typeof node === "number" ? String(node) : "";
  const { type, props } = node;
  if (typeof type === "function") return wordsIn((type as (props: Props) => Node)(props));
  const inside = wordsIn(props.children);
  return INLINE.has(type) ? inside : `${inside} `;
}
