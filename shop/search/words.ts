/** Query words, and their marks in texts. */
export const MAX_QUERY_LENGTH = 100;
const MAX_WORDS = 8;
const EXCERPT_LENGTH = 150;

export type Marked = { text: string; hit: boolean }[];

const plain = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();

/** Words of a query: letters and digits only, so that none contains query syntax. */
export function wordsOf(query: string): string[] {
  const words = plain(query.slice(0, MAX_QUERY_LENGTH)).match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].slice(0, MAX_WORDS);
}

const stem = (word: string) => (word.length < 4 ? word : word.replace(/(?:ies|es|s|ing|ed|e|y)$/, ""));

/** True if a word may match as a prefix; a single letter among other words ('usb-c') does not. */
export const isPrefix = (word: string, words: string[]) => word.length > 1 || words.length === 1;

function isHit(word: string, query: string[]): boolean {
  return query.some((one) =>
    isPrefix(one, query) ? word.startsWith(one) || (one.length > 3 && stem(word) === stem(one)) : word === one,
  );
}

const letters = (word: string) => word.split("").toSorted().join("");

/** True if `edits` are few enough for a typo. Two swapped letters count as one mistake. */
export const isTypo = (typed: string, known: string, edits: number): boolean =>
  edits <= (typed.length < 8 ? 1 : 2) || (edits === 2 && letters(typed) === letters(known));

export function mark(text: string, query: string[]): Marked {
  const pieces: Marked = [];
  for (const piece of text.split(/([\p{L}\p{N}\p{M}]+)/u)) {
    if (piece === "") continue;
    const hit = isHit(plain(piece), query);
    const last = pieces.at(-1);
    if (last && !last.hit && !hit) last.text += piece;
    else pieces.push({ text: piece, hit });
  }
  return pieces;
}

/** Excerpt around the densest cluster of searched words. */
export function excerpt(text: string, query: string[]): Marked {
  const words = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)];
  const hits = words.filter(([word]) => isHit(plain(word), query)).map(({ index }) => index);
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
  return mark((from > 0 ? "…\u00a0" : "") + cut, query);
}
