/** The typed form of a text. */
import { type EditableText, withDay } from "#shop/content/text-form.server.ts";

/** A text that is far too long still comes back with the answer, so that nothing typed is lost. */
export const MAX_CHARACTERS = 3_000_000;

const OWN_FIELDS = [
  "version",
  "over",
  "isOver",
  "do",
  "markdown",
  "publishAt",
  "planned",
  "replaces",
  "effectiveOn",
  "isAnnounced",
];

/** Products below a post, each a field of its own. */
const productsBelow = [0, 1, 2].map((index) => `related-${index}`);

export const fieldNames = ({ group, fields }: EditableText): string[] => [
  ...OWN_FIELDS,
  ...Object.keys(fields),
  ...(group === "Posts" ? productsBelow : []),
];

/** Conform reads an empty text as none. */
const lines = (form: URLSearchParams, name: string) => (form.get(name) ?? "").replaceAll(/\r\n?/g, "\n").trim();

/** The words as they are stored. `publishAt` is null for a draft. */
export function typedText(text: EditableText, form: URLSearchParams, publishAt: Date | null) {
  const typed = Object.fromEntries(Object.keys(text.fields).map((name) => [name, lines(form, name)]));
  const fields: Record<string, string> = {
    ...withDay(text.key, typed, publishAt),
    ...(text.group === "Posts" && { related: productsBelow.flatMap((name) => form.get(name) || []).join("\n") }),
    ...(form.get("isAnnounced") === "on" && { isAnnounced: "on" }),
  };
  return { fields, markdown: text.markdown === null ? "" : lines(form, "markdown") };
}
