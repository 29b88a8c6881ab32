/** The texts that staff may write: their first editions as the editor shows them, and what is wrong with a new one. */
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { markdownProblem } from "./markdown.ts";
import { hasEnded, type TextVersion } from "./published.server.ts";
import { fieldsOf } from "./text-fields.ts";
import { bowlFaqs } from "#shop/catalog/product-faqs.ts";
import { blocks, sourceOf } from "./text-forms.ts";
import { shortNames, unknownWord, wordNames } from "./text-words.ts";
import {
  firstEdition,
  firstFront,
  firstKeys,
  frontOf,
  hasMarkdown,
  partsOf,
  POST_CATEGORIES,
  schemaOf,
} from "./texts.server.ts";

export type TextGroup = "Home and notice bar" | "Pages" | "Posts" | "Legal texts" | "Emails";

export type EditableText = {
  key: string;
  group: TextGroup;
  /** The address of the page that shows it; empty for an email. */
  path: string;
  /** False for what only staff have written: a post of theirs, a notice. */
  hasOriginal: boolean;
  /** Null for a text without Markdown. */
  markdown: string | null;
  fields: Record<string, string>;
};

const EMAIL = /^emails-[a-z-]{1,80}$/;
const POST = /^posts-([a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?)$/;

const NEW_POST = {
  title: "",
  description: "",
  category: POST_CATEGORIES[0],
  date: "",
  picture: "",
  pictureAlt: "",
  related: "",
};

const GROUPS: Record<string, TextGroup> = {
  posts: "Posts",
  legal: "Legal texts",
  home: "Home and notice bar",
  notice: "Home and notice bar",
  emails: "Emails",
};

const groupOf = (key: string): TextGroup => GROUPS[key.split("-", 1)[0] ?? ""] ?? "Pages";

function pathOf(key: string): string {
  const [kind = "", name] = key.split(/-(.*)/s);
  if (kind === "emails") return "";
  if (kind === "faq") return "/shop";
  return (kind === "posts" ? "/blog/" : "/") + (name ?? "");
}

function firstMarkdown(key: string): string | null {
  if (!hasMarkdown(key)) return null;
  if (key === "faq") return blocks(bowlFaqs(wordNames).map(({ question, answer }) => `## ${question}\n\n${answer}`));
  const first = firstEdition(key);
  return first ? sourceOf(first.default) : "";
}

/** The edition of the code; for a post of the staff an empty one. Null if there is no such text. */
export function firstText(key: string): EditableText | null {
  const isPost = POST.test(key);
  const front = firstFront(key) ?? (EMAIL.test(key) ? { subject: "{subject}" } : null);
  if (!front && !isPost) return null;
  const { related, ...rest } = (front ?? {}) as { related?: string[] };
  const post = { ...NEW_POST, ...rest, related: related?.join("\n") ?? "" } as Record<string, string>;
  const fields = isPost ? post : fieldsOf(front ?? {});
  return {
    key,
    group: groupOf(key),
    path: pathOf(key),
    hasOriginal: front !== null && key !== "notice",
    markdown: firstMarkdown(key),
    fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shortNames(value)])),
  };
}

/** Keys of the texts of the code, in the order of the list. */
export const firstTextKeys = (): string[] => [
  "home",
  "notice",
  "faq",
  ...["pages", "legal", "posts"].flatMap((kind) => firstKeys(kind)),
];

const MAX_FIELD_CHARACTERS = 2_000;

type Written = Pick<TextVersion, "key" | "fields" | "publishAt"> & { markdown: string; isDraft?: boolean };

/** Problems of a text by field; empty if there are none. A draft may be unfinished. */
export function textProblems({ markdown, isDraft = false, ...written }: Written): Record<string, string> {
  const { key, fields } = written;
  const problems: Record<string, string> = {};
  const front = schemaOf(key).safeParse(
    frontOf({ ...written, version: 0, effectiveOn: null, replaces: null, staffId: "", createdAt: clock.now() }),
  );
  for (const { path, message } of isDraft ? [] : (front.error?.issues ?? [])) problems[path.join("-")] ??= message;
  if (!isDraft && key === "notice" && hasEnded(fields, written.publishAt ?? clock.now()))
    problems.until = "This is past when the notice begins, so no one would see it. Choose a later time, or none";
  for (const [name, value] of Object.entries(fields)) {
    const word = unknownWord(value);
    if (word) problems[name] = `{${word}} stands for nothing. Choose a name under Placeholders.`;
    if (value.length > MAX_FIELD_CHARACTERS) problems[name] = `At most ${MAX_FIELD_CHARACTERS} characters`;
  }
  const problem = markdownProblem(markdown, EMAIL.test(key));
  if (problem) problems.markdown = problem;
  else if (!isDraft && partsOf(key) === "questions" && !/^## /m.test(markdown)) {
    problems.markdown = "Each question is a heading, such as ## How long does a filter last?";
  }
  return problems;
}

/** A post without a day of its own has the one on which it is published; a draft has none yet. */
export const withDay = (key: string, fields: Record<string, string>, publishAt: Date | null): Record<string, string> =>
  key.startsWith("posts-") && !fields.date && publishAt ? { ...fields, date: newYorkDay(publishAt) } : fields;
