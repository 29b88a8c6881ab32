/** Changes that the buttons above a Markdown field make to its text. */

/** `from` to `to` becomes `text`; then `start` to `end` is selected. */
export type Edit = Record<"from" | "to" | "start" | "end", number> & { text: string };
type Field = Pick<HTMLTextAreaElement, "value" | "selectionStart" | "selectionEnd">;

const selected = (from: number, to: number, text: string): Edit => ({
  from,
  to,
  text,
  start: from,
  end: from + text.length,
});

/** The selection without the spaces around it, or the word at the cursor. */
function wordsOf({
  value,
  selectionStart: start,
  selectionEnd: end,
}: Field): [from: number, to: number, words: string] {
  const [before = "", after = ""] =
    start === end
      ? [/[\p{L}\p{N}’'-]*$/u.exec(value.slice(0, start))?.[0], /^[\p{L}\p{N}’'-]*/u.exec(value.slice(end))?.[0]]
      : [];
  const words = value.slice(start - before.length, end + after.length);
  const from = start - before.length + (words.length - words.trimStart().length);
  return [from, from + words.trim().length, words.trim()];
}

/**
 * Marks around the words, each line by itself since none goes on in the next paragraph; without them if they have them. A
 * cursor stays where it is, or leaves the marks that end there.
 */
export const around =
  (mark: string) =>
  (field: Field): Edit => {
    const { value, selectionStart: at, selectionEnd } = field;
    const [from, to, words] = wordsOf(field);
    const { length } = mark;
    const isCursor = at === selectionEnd;
    if (
      isCursor &&
      value.slice(at, at + length) === mark &&
      /\S/.test(value.slice(at - 1, at)) &&
      !value.slice(0, at).endsWith(mark)
    )
      return { from: at, to: at + length, text: mark, start: at + length, end: at + length };
    const withCursor = (edit: Edit, moved: number) =>
      isCursor ? { ...edit, start: at + moved, end: at + moved } : edit;
    if (value.slice(from - length, from) === mark && value.slice(to, to + length) === mark)
      return withCursor(selected(from - length, to + length, words), -length);
    const lines = words.match(/.+/g) ?? [];
    const isMarked = (line: string) => line.length > 2 * length && line.startsWith(mark) && line.endsWith(mark);
    if (lines.length > 0 && lines.every(isMarked))
      return selected(
        from,
        to,
        words.replaceAll(/.+/g, (line) => line.slice(length, -length)),
      );
    if (lines.length > 1)
      return selected(
        from,
        to,
        words.replaceAll(/.+/g, (line) => mark + line + mark),
      );
    return withCursor({ from, to, text: mark + words + mark, start: from + length, end: to + length }, length);
  };

const ADDRESS = /^(?:https?:\/\/|mailto:|\/)\S+$/;

/** A link, of which the part that is still missing is selected. */
export function link(field: Field): Edit {
  const [from, to, words] = wordsOf(field);
  const [label, address] = ADDRESS.test(words) ? ["words", words] : [words || "words", "https://"];
  const start = label === words ? from + label.length + 3 : from + 1;
  const missing = label === words ? address : label;
  return { from, to, text: `[${label}](${address})`, start, end: start + missing.length };
}

/** `alt` is Markdown, and empty until it is written. */
export type MarkdownPicture = { name: string; alt: string };

/** A text in a paragraph of its own in place of the selection, with the cursor behind it or `cursor` characters into it. */
export const paragraph =
  (text: string, cursor = text.length) =>
  ({ value, selectionStart: from, selectionEnd: to }: Field): Edit => {
    const [before, after] = [value.slice(0, from), value.slice(to)];
    const above = before.trim() === "" ? "" : "\n\n".slice(/\n{0,2}$/.exec(before)?.[0].length);
    const below = after.trim() === "" ? "" : "\n\n".slice(/^\n{0,2}/.exec(after)?.[0].length);
    const start = from + above.length + cursor;
    return { from, to, text: above + text + below, start, end: start };
  };

/** A picture behind the selection, with the cursor where its description goes, or behind it. */
export const picture =
  ({ name, alt }: MarkdownPicture) =>
  ({ value, selectionEnd }: Field) =>
    paragraph(`![${alt}](${name})`, alt ? undefined : 2)({ value, selectionStart: selectionEnd, selectionEnd });

const MARK = /^(?:#{1,6} |[-*] |\d+\. |> )/;

/** A mark at the start of each selected line, in place of another; `markOf` gets the first line's present one. */
const lines =
  (markOf: (first: string) => string | ((index: number) => string)) =>
  (field: Field): Edit => {
    const { value, selectionStart, selectionEnd } = field;
    const from = value.lastIndexOf("\n", selectionStart - 1) + 1;
    // A line that is selected with its end does not reach into the next.
    const last = selectionEnd > selectionStart && value[selectionEnd - 1] === "\n" ? selectionEnd - 1 : selectionEnd;
    const to = value.indexOf("\n", last) === -1 ? value.length : value.indexOf("\n", last);
    const written = value.slice(from, to).split("\n");
    const mark = markOf(MARK.exec(written[0] ?? "")?.[0] ?? "");
    let count = 0;
    const marked = written.map((line) => {
      if (line.trim() === "" && written.length > 1) return line;
      return (typeof mark === "string" ? mark : mark(count++)) + line.replace(MARK, "");
    });
    const edit = selected(from, to, marked.join("\n"));
    const moved = Math.max(from, selectionEnd + edit.text.length - (to - from));
    return selectionStart === selectionEnd ? { ...edit, start: moved, end: moved } : edit;
  };

const HEADINGS: Record<string, string> = { "## ": "### ", "### ": "" };

/** A heading, then a smaller one, then none. */
export const heading = lines((first) => HEADINGS[first] ?? "## ");
export const list = lines((first) => (/[-*]/.test(first) ? "" : "- "));
export const numberedList = lines((first) => (/\d/.test(first) ? "" : (index) => `${index + 1}. `));
export const quote = lines((first) => (first === "> " ? "" : "> "));

const ITEM = /^(?:[-*] |(\d+)\. |> )/;

/** A new line goes on with the list or quote, and ends it after an empty item. Null elsewhere. */
export function newLine({ value, selectionStart: at, selectionEnd }: Field): Edit | null {
  const from = value.lastIndexOf("\n", at - 1) + 1;
  const [mark, number] = ITEM.exec(value.slice(from, at)) ?? [];
  if (mark === undefined || at !== selectionEnd) return null;
  if (from + mark.length === at) return { from, to: at, text: "", start: from, end: from };
  const text = `\n${number ? `${Number(number) + 1}. ` : mark}`;
  return { from: at, to: at, text, start: at + text.length, end: at + text.length };
}
