/** What a shopper typed, as words; and where those words stand in a text. */
export const MAX_QUERY_LENGTH = 100;
const MAX_WORDS = 8;
const EXCERPT_LENGTH = 150;

/** A text in pieces; `hit` where a searched word stands. */
export type Marked = { text: string; hit: boolean }[];

const plain = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();

/** The words of a query: letters and digits only, so that nothing in them is syntax to anybody. */
export function wordsOf(query: string): string[] {
  const words = plain(query.slice(0, MAX_QUERY_LENGTH)).match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].slice(0, MAX_WORDS);
}

const stem = (word: string) => (word.length < 4 ? word : word.replace(/(?:ies|es|s|ing|ed|e|y)$/, ""));

/** Whether a word may be the beginning of a longer one: a single letter among others ('usb-c') may not. */
export const mayGoOn = (word: string, words: string[]) => word.length > 1 || words.length === 1;

function isHit(word: string, asked: string[]): boolean {
  return asked.some((one) =>
    mayGoOn(one, asked) ? word.startsWith(one) || (one.length > 3 && stem(word) === stem(one)) : word === one,
  );
}

/** The text in pieces, with each searched word marked. */
export function mark(text: string, asked: string[]): Marked {
  const pieces: Marked = [];
  for (const piece of text.split(/([\p{L}\p{N}\p{M}]+)/u)) {
    if (piece === "") continue;
    const hit = isHit(plain(piece), asked);
    const last = pieces.at(-1);
    if (last && !last.hit && !hit) last.text += piece;
    else pieces.push({ text: piece, hit });
  }
  return pieces;
}

/** A line or two of a long text, from just before where most of the searched words stand together. */
export function excerpt(text: string, asked: string[]): Marked {
  const words = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)];
  const hits = words.filter(([word]) => isHit(plain(word), asked)).map(({ index }) => index);
  const near = (start: number) => hits.filter((hit) => hit >= start && hit < start + EXCERPT_LENGTH * 0.75).length;
  const [first = 0] = hits.toSorted((a, b) => near(b) - near(a) || a - b);
  const starts = words
    .map(({ index }) => index)
    .filter((index) => index <= first && index >= first - EXCERPT_LENGTH / 4);
  const from = first < EXCERPT_LENGTH / 3 ? 0 : (starts[0] ?? first);
  const rest = text.slice(from);
  const cut =
    rest.length <= EXCERPT_LENGTH
      ? rest
      : rest.slice(0, rest.lastIndexOf(" ", EXCERPT_LENGTH)).replace(/[\s,;:.]+$/, "") + "\u00a0…";
  return mark((from > 0 ? "…\u00a0" : "") + cut, asked);
}
