/** The part of an email that its sender wrote, and the history that the mail program added below. */

/** Outlook: a rule, or none, then the headers of the email that is answered. In English, Spanish, French and German. */
const HEADERS =
  /^(?:[-_]{20,}[ \t]*\n\s{0,20})?\*?(?:From|De|Von)\s?:.*\n(?:.+\n){0,6}?\*?(?:Subject|Asunto|Objet|Betreff)\s?:/im;
const ORIGINAL =
  /^(?:-{2,} ?(?:Original Message|Forwarded message|Mensaje original|Message d'origine|Ursprüngliche Nachricht) ?-{2,}|Begin forwarded message:)$/im;
/** Gmail, Apple Mail and, with a date like 11/26/26, Thunderbird: a sentence with the date, over one to three lines. */
const SENTENCE =
  /^[> ]*(?:On|El|Le|Am)\s(?:.{1,200}\n){0,2}?.{0,200}\b(?:20\d\d|\d\d?[/.]\d\d?[/.]\d\d)\b(?:.{0,200}\n){0,2}?.{0,200}(?:wrote|escribió|a écrit|schrieb.{0,100})\s?:[ \t]*$/im;
const ITS_END = /(?:wrote|escribió|a écrit|schrieb.{0,100})\s?:[ \t]*$/gim;
const ITS_LENGTH = 1_100;
const ENDS_TRIED = 20;

/** Start and end of the first sentence. It is looked for before some ends, as the whole text may be made to cost seconds. */
function sentenceIn(text: string): { start: number; end: number } | null {
  let tried = 0;
  for (const { index, 0: words } of text.matchAll(ITS_END)) {
    if (++tried > ENDS_TRIED) break;
    const from = text.lastIndexOf("\n", Math.max(0, index - ITS_LENGTH)) + 1;
    const end = index + words.length;
    const at = text.slice(from, end).search(SENTENCE);
    if (at >= 0) return { start: from + at, end };
  }
  return null;
}

const isIndented = (text: string) => text.split("\n").every((line) => /^\s*(?:>|$)/.test(line));

/**
 * Start of the history of `text`, or its length. Text between and below indented lines answers them, so such an email
 * has no history apart from itself.
 */
function historyAt(text: string): number {
  const starts = [HEADERS, ORIGINAL].map((pattern) => text.search(pattern)).filter((at) => at >= 0);
  const sentence = sentenceIn(text);
  const first = /^>/m.exec(text)?.index ?? text.length;
  const below = sentence ? sentence.end : first;
  const isAnswered = !isIndented(text.slice(below)) && /^\s*>/.test(text.slice(below));
  if (!isAnswered) starts.push(sentence?.start ?? first);
  return Math.min(text.length, ...starts);
}

/** Cuts an email into what its sender wrote and the history below. */
export function splitQuoted(text: string): { written: string; history: string } {
  const at = historyAt(text);
  // Pictures between the lines leave empty ones.
  const written = text
    .slice(0, at)
    .trim()
    .replace(/\n{3,}/g, "\n\n");
  // An email that is all history, as a forwarded one, is shown whole.
  return written === "" ? { written: text.trim(), history: "" } : { written, history: text.slice(at).trim() };
}
