/** The page of a text as it is being typed, rendered by the shop without saving, or what keeps it from being shown. */
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { MAX_TEXT_CHARACTERS } from "#shop/content/markdown.ts";
import { withPreview } from "#shop/content/published.server.ts";
import { type TextGroup, textProblems } from "#shop/content/text-form.server.ts";
import { withWords } from "#shop/content/text-words.ts";
import { posts } from "#shop/content/texts.server.ts";
import { pageForAnyone } from "#app/http/page-for-anyone.server.ts";
import { readForm } from "#app/http/form.server.ts";
import type { Route } from "./+types/preview.ts";
import { labelOf, partOf } from "./field-names.ts";
import { emailSamples, pageOf, placeholdersOf, requireText, type Sample } from "./state.server.ts";
import { fieldNames, MAX_CHARACTERS, typedText } from "./typed.server.ts";

/** `problem` of the Markdown, which is shown all the same; other `problems` leave nothing to show. */
export type Preview = { problems: string[]; problem?: string | null; samples?: Sample[] };

/** Stands in for what a new post or notice does not have yet. */
const EXAMPLES: Partial<Record<TextGroup, () => Record<string, string>>> = {
  Posts: () => ({
    title: "The title",
    description: "The description, which search results show as well.",
    picture: posts()[0]!.front.picture,
    pictureAlt: "The picture",
  }),
  "Home and notice bar": () => ({ text: "The words of the notice" }),
};

const problemLine = ([name, problem]: [string, string]) =>
  `${[partOf(name), labelOf(name)].filter(Boolean).join(", ")}: ${problem}`;

/** No script of the page runs in the preview, so none is sent. */
const withoutScripts = (html: string) =>
  html
    .replaceAll(/<script\b[\s\S]*?<\/script>|<link rel="(?:module)?preload"[^>]*>/g, "")
    // Links would leave the text that is being written; without the permission to open windows they do nothing.
    .replace("<head>", '<head><base target="_blank">');

export { noPage as loader } from "../guard.server.ts";

export async function action({ params, request, context }: Route.ActionArgs): Promise<Response> {
  const text = requireText(params.key);
  const form = await readForm(request, fieldNames(text), [], MAX_CHARACTERS);
  const now = clock.now();
  const { fields: typed, markdown } = typedText(text, form, now);
  const example = EXAMPLES[text.group]?.() ?? {};
  const fields = Object.fromEntries(
    Object.entries(typed).map(([name, value]) => [name, value || (example[name] ?? "")]),
  );
  const { markdown: problem = null, ...others } = withWords(placeholdersOf(text.key), () =>
    textProblems({ key: text.key, fields, markdown, publishAt: now }),
  );
  const problems = Object.entries(others).map(problemLine);
  if (problems.length > 0 || markdown.length > MAX_TEXT_CHARACTERS) {
    return Response.json({ problems, problem } satisfies Preview);
  }
  const effectiveOn = form.get("effectiveOn") || newYorkDay(now);
  const version = {
    key: text.key,
    version: 0,
    fields,
    markdown,
    publishAt: now,
    effectiveOn,
    replaces: null,
    staffId: "",
    createdAt: now,
  };
  const samples = await withPreview(version, async () => {
    if (text.group === "Emails") return emailSamples(text.key);
    const page = await context.get(pageForAnyone)(await pageOf(text));
    if (!page.ok) throw new Error(`the page of ${text.key} answered ${page.status} in a preview`);
    return [{ name: "The page", html: withoutScripts(await page.text()), ...(text.key === "faq" && { at: "faqs" }) }];
  });
  return Response.json({ problems, problem, samples } satisfies Preview);
}
