/** A text of the shop as Markdown: the words of its page, for those who read without a browser. */
import type { MDXContent } from "mdx/types.js";

type Props = { children?: Node; href?: string; title?: string; caption?: string; head?: string[]; rows?: string[][] };
type Element = { type: unknown; props: Props };
type Node = string | number | boolean | null | undefined | Element | Node[];

/** The components that the texts use, left as they are: what they become is said below. */
const components = { Section: "Section", Question: "Question", FactTable: "FactTable" };

/** `address` is the full address of the page, which the links of the text start from. */
export function markdownOf(Content: MDXContent, address: string): string {
  let sections = 0;

  const inline = (node: Node): string => {
    if (Array.isArray(node)) return node.map(inline).join("");
    if (!isElement(node))
      return typeof node === "string" || typeof node === "number" ? escapeMarkdown(String(node)) : "";
    const { type, props } = node;
    const text = inline(props.children);
    if (type === "a") return `[${text}](${new URL(props.href ?? "", address).href})`;
    if (type === "strong") return `**${text}**`;
    if (type === "em") return `_${text}_`;
    return text;
  };

  const list = (node: Node, mark: (index: number) => string): string =>
    elements(node)
      .map(({ props }, i) => `${mark(i)} ${inline(props.children).trim()}`)
      .join("\n");

  const block = (node: Node): string => {
    if (Array.isArray(node)) return blocks(node.map(block));
    if (!isElement(node)) return inline(node).trim();
    const { type, props } = node;
    if (typeof type === "function") return block((type as (props: Props) => Node)(props));
    switch (type) {
      case "h2":
        return `## ${inline(props.children)}`;
      case "h3":
        return `### ${inline(props.children)}`;
      case "p":
        return inline(props.children).trim();
      case "ul":
        return list(props.children, () => "-");
      case "ol":
        return list(props.children, (i) => `${i + 1}.`);
      case "Section":
        return blocks([`## ${++sections}. ${props.title}`, block(props.children)]);
      case "Question":
        return blocks([`## ${props.title}`, block(props.children)]);
      case "FactTable":
        return blocks([`**${props.caption}**`, markdownTable(props.head ?? [], props.rows ?? [])]);
      default:
        return block(props.children);
    }
  };

  return block(Content({ components }) as Node);
}

/** Parts of a text with an empty line between them; parts that are empty are left out. */
export function blocks(parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join("\n\n");
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => escapeMarkdown(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Words that somebody typed, so that none of them is taken for a mark. */
export function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\*_[\]<`]/g, "\\$&");
}

function elements(node: Node): Element[] {
  if (Array.isArray(node)) return node.flatMap(elements);
  return isElement(node) ? [node] : [];
}

function isElement(node: Node): node is Element {
  return typeof node === "object" && node !== null && !Array.isArray(node);
}
