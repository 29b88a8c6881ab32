/** Markdown of the staff as elements, with the components of the MDX texts, and what is wrong with it. */
import { fromMarkdown } from "mdast-util-from-markdown";
import type { Heading, Nodes, Root, RootContent } from "mdast";
import type { MDXContent } from "mdx/types.js";
import { createElement, Fragment, type ReactNode } from "react";
import { fillWords, unknownWord } from "./text-words.ts";

/** Longer than any text of the shop by far. */
export const MAX_TEXT_CHARACTERS = 100_000;

/** Deeper than any text is meant to be, and far from what a page cannot render. */
const MAX_NESTING = 20;
const NESTED_LINE = /^(?:[ \t]*(?:>|[-*+][ \t]|\d+[.)][ \t])){21}/m;
const LEVELS = ["blockquote", "list", "strong", "emphasis", "link", "linkReference"];

/** Without recursion, which is what deep nesting ends. */
function isTooDeep(root: Root): boolean {
  const left: [Nodes, number][] = [[root, 0]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [node, above] = next;
    const level = above + (LEVELS.includes(node.type) ? 1 : 0);
    if (level > MAX_NESTING) return true;
    if ("children" in node) left.push(...node.children.map((child): [Nodes, number] => [child, level]));
  }
  return false;
}

/** Null for a text that is nested too deeply, which is seen before it is parsed where its lines tell. */
function parse(markdown: string): Root | null {
  if (NESTED_LINE.test(markdown)) return null;
  const root = fromMarkdown(markdown);
  return isTooDeep(root) ? null : root;
}

/** Meaning of headings of the second level. */
export type Parts = "headings" | "sections" | "questions";

const LINK = /^(?:https?:\/\/|mailto:|#|\/(?![/\\]))/i;
const PICTURE = /^[a-z0-9-]+$/;

const lineOf = (node: Nodes): string => `Line ${node.position?.start.line ?? 1}`;

/** The first thing that texts may not have, in words; null if there is none. Emails have neither pictures nor tables. */
export function markdownProblem(markdown: string, isEmail = false): string | null {
  if (markdown.length > MAX_TEXT_CHARACTERS) {
    const [has, most] = [markdown.length, MAX_TEXT_CHARACTERS].map((count) => count.toLocaleString("en-US"));
    return `This text has ${has} characters, and at most ${most} fit. Nothing was saved; shorten it and save again.`;
  }
  const root = parse(markdown);
  if (!root) return `Quotes, lists and emphasis are nested more than ${MAX_NESTING} deep. Take some levels out.`;
  return problemIn(root) ?? (isEmail ? emailProblemIn(root, markdown) : null);
}

function emailProblemIn(node: Nodes, markdown: string): string | null {
  if (node.type === "image") {
    return `${lineOf(node)} has a picture, which emails cannot show. Say it in words, or link to a page that shows it.`;
  }
  if (node.type === "paragraph" && tableRows(sourceOf(node, { markdown }))) {
    return `${lineOf(node)} has a table, which emails cannot show. Write a list, or link to a page that has it.`;
  }
  const inside = "children" in node ? node.children : [];
  return inside.map((child) => emailProblemIn(child, markdown)).find((problem) => problem !== null) ?? null;
}

function problemIn(node: Nodes): string | null {
  if (node.type === "html") {
    return `${lineOf(node)} has HTML (${node.value.slice(0, 40)}). Texts are Markdown only; write \\< for the sign itself.`;
  }
  if ((node.type === "link" || node.type === "definition") && !LINK.test(node.url)) {
    return `${lineOf(node)} has a link to “${node.url.slice(0, 60)}”. Links begin with https://, http://, mailto:, / or #.`;
  }
  if (node.type === "imageReference" || (node.type === "image" && !PICTURE.test(node.url))) {
    return `${lineOf(node)} has a picture of another site. Use the name of one of the shop’s: ![what it shows](lifestyle-week).`;
  }
  if (node.type === "image" && !node.alt?.trim()) {
    return `${lineOf(node)} has a picture without words for who cannot see it: ![what it shows](${node.url}).`;
  }
  const word = unknownWord(node.type === "text" ? node.value : "url" in node ? node.url : "");
  if (word) return `${lineOf(node)} has {${word}}, which stands for nothing. Choose a name under Placeholders.`;
  return "children" in node ? (node.children.map(problemIn).find((problem) => problem !== null) ?? null) : null;
}

type Components = Record<string, unknown>;
const element = createElement as (type: unknown, props: object | null, ...children: ReactNode[]) => ReactNode;

const ID = /\s*\{#([a-z0-9-]+)\}\s*$/;

const wordsOf = (node: Nodes): string =>
  "value" in node ? node.value : "children" in node ? node.children.map(wordsOf).join("") : "";

/** Title and id of a heading: "Return Policy {#return-policy}", or the id that its words give. */
function titleOf(heading: Heading): { title: string; id: string; hasId: boolean } {
  const written = wordsOf(heading);
  const title = fillWords(written.replace(ID, ""));
  const [, own] = ID.exec(written) ?? [];
  const made = title
    .toLowerCase()
    .replaceAll("’", "")
    .replaceAll(/[^a-z0-9]+/g, "-");
  return { title, id: own ?? made.replace(/^-|-$/g, ""), hasId: own !== undefined };
}

/** Rows of a table, whose lines begin with a bar; null for another paragraph. */
function tableRows(source: string): string[][] | null {
  const lines = source.split("\n").map((line) => line.trim());
  if (!lines.every((line) => line.startsWith("|")) || !/^\|[\s:|-]+$/.test(lines[1] ?? "")) return null;
  const cells = (line: string) =>
    line
      .replace(/^\||(?<!\\)\|$/g, "")
      .split(/(?<!\\)\|/)
      .map((cell) => fillWords(cell.trim().replaceAll(/\\(.)/g, "$1")));
  return lines.filter((_, i) => i !== 1).map(cells);
}

/** The component of a published text, as MDX would make it. Numbers are filled in when it is rendered. */
export function contentOf(markdown: string, parts: Parts): MDXContent {
  const root = parse(markdown);
  if (!root) return (() => element("pre", null, markdown)) as unknown as MDXContent;
  const render = ({ components = {} }: { components?: Components }) =>
    element(Fragment, null, ...blocksOf(root, { markdown, parts, components, root }));
  return render as unknown as MDXContent;
}

type Rendering = { markdown: string; parts: Parts; components: Components; root: Root };

function blocksOf({ children }: Root, at: Rendering): ReactNode[] {
  const blocks: ReactNode[] = [];
  let part: { heading: Heading; children: ReactNode[] } | null = null;
  const end = () => {
    if (part) {
      const { title, id } = titleOf(part.heading);
      const type = at.parts === "sections" ? "Section" : "Question";
      blocks.push(element(at.components[type] ?? "section", { id, title }, ...part.children));
    }
    part = null;
  };
  for (const [i, node] of children.entries()) {
    if (node.type === "heading" && node.depth <= 2 && at.parts !== "headings") {
      end();
      part = { heading: node, children: [] };
    } else if (!isCaption(node, children[i + 1], at)) {
      const block = node.type === "paragraph" ? paragraphOf(node, children[i - 1], at) : nodeOf(node, at);
      (part?.children ?? blocks).push(block);
    }
  }
  end();
  return blocks;
}

const sourceOf = ({ position }: Nodes, { markdown }: Pick<Rendering, "markdown">) =>
  markdown.slice(position?.start.offset, position?.end.offset);

/** A line in bold above a table is its caption. */
const isCaption = (node: RootContent | undefined, next: RootContent | undefined, at: Rendering): boolean =>
  node?.type === "paragraph" &&
  node.children.length === 1 &&
  node.children[0]?.type === "strong" &&
  next?.type === "paragraph" &&
  tableRows(sourceOf(next, at)) !== null;

function paragraphOf(node: RootContent, before: RootContent | undefined, at: Rendering): ReactNode {
  const [head, ...rows] = tableRows(sourceOf(node, at)) ?? [];
  if (!head) return nodeOf(node, at);
  const caption = before && isCaption(before, node, at) ? fillWords(wordsOf(before)) : "";
  return element(at.components.FactTable ?? "table", { caption, head, rows });
}

const TAGS: Partial<Record<Nodes["type"], string>> = {
  paragraph: "p",
  strong: "strong",
  emphasis: "em",
  inlineCode: "code",
  break: "br",
  blockquote: "blockquote",
  listItem: "li",
  thematicBreak: "hr",
};

/** A preview shows a text with problems, too: an address that texts may not have leads nowhere. */
const linkOf = (url: string, inside: ReactNode[]): ReactNode =>
  element("a", LINK.test(url) ? { href: fillWords(url) } : null, ...inside);

function nodeOf(node: Nodes, at: Rendering): ReactNode {
  const inside = () => ("children" in node ? node.children.map((child) => nodeOf(child, at)) : []);
  switch (node.type) {
    case "text":
      return fillWords(node.value);
    case "html":
      return node.value;
    case "code":
      return element("pre", null, element("code", null, node.value));
    case "inlineCode":
      return element("code", null, node.value);
    case "heading": {
      const { title, id, hasId } = titleOf(node);
      return element(node.depth <= 2 ? "h2" : "h3", hasId ? { id } : null, title);
    }
    case "list":
      return element(
        node.ordered ? "ol" : "ul",
        node.start && node.start > 1 ? { start: node.start } : null,
        ...inside(),
      );
    case "listItem": {
      const only = node.children.length === 1 && node.children[0]?.type === "paragraph" ? node.children[0] : node;
      return element("li", null, ...only.children.map((child) => nodeOf(child, at)));
    }
    case "link":
      return linkOf(node.url, inside());
    case "linkReference": {
      const definition = at.root.children.find(
        (one) => one.type === "definition" && one.identifier === node.identifier,
      );
      return definition?.type === "definition" ? linkOf(definition.url, inside()) : inside();
    }
    case "image":
      return PICTURE.test(node.url)
        ? element(at.components.img ?? "img", { src: node.url, alt: node.alt ?? "" })
        : node.alt;
    default: {
      const tag = TAGS[node.type];
      return tag ? element(tag, null, ...inside()) : null;
    }
  }
}
