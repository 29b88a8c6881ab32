/** Limits of an email, counted in its raw bytes before anything is made of them. */

const MAX = {
  /** Bytes of text outside base64, in which attachments come. */
  bytes: 2 * 1024 * 1024,
  /** Outside base64. */
  lines: 50_000,
  allLines: 400_000,
  headerLines: 1_000,
  /** Lines that begin as boundaries of parts do. */
  boundaries: 1_000,
};
const MAX_HEAD_BYTES = 64 * 1024;

const [NEWLINE, RETURN, DASH, PAD] = [10, 13, 45, 61];
/** Shorter lines of base64 count as text. */
const MIN_BASE64 = 40;
const BASE64 = Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
const isBase64 = Uint8Array.from({ length: 256 }, (_, byte) => Number(BASE64.includes(byte)));

/** True for a line of base64. Padding elsewhere than at its end would make a piece of memory of each two characters. */
function isOfBase64(line: Uint8Array): boolean {
  let length = line.length;
  while (length > line.length - 2 && line[length - 1] === PAD) length--;
  if (length < MIN_BASE64) return false;
  for (let at = 0; at < length; at++) if (!isBase64[line[at]!]) return false;
  return true;
}

/** The lines of an email, as `visit` returns true, with the number of their bytes. */
function eachLine(raw: Uint8Array, visit: (line: Uint8Array, bytes: number) => boolean): void {
  for (let start = 0; start < raw.length;) {
    const newline = raw.indexOf(NEWLINE, start);
    const next = newline < 0 ? raw.length : newline + 1;
    const end = newline < 0 ? raw.length : newline - Number(newline > start && raw[newline - 1] === RETURN);
    if (!visit(raw.subarray(start, end), next - start)) return;
    start = next;
  }
}

const ENCODING = /^content-transfer-encoding:/i;
const encodingOf = (line: Uint8Array): string | null => {
  const text = (line[0]! | 32) === 99 ? Buffer.from(line.subarray(0, 100)).toString("latin1") : "";
  return ENCODING.test(text) ? text : null;
};

/** Limit that an email exceeds, or null. */
export function excessOf(raw: Uint8Array): keyof typeof MAX | null {
  const count = { bytes: 0, lines: 0, allLines: 0, headerLines: 0, boundaries: 0 };
  let [isFirstHead, isHead, encoding]: [boolean, boolean, string | null] = [true, true, null];
  let excess: keyof typeof MAX | null = null;
  eachLine(raw, (line, bytes) => {
    if (line.length === 0) isFirstHead = isHead = false;
    else if (isHead) encoding ??= encodingOf(line);
    if (line[0] === DASH && line[1] === DASH) {
      count.boundaries++;
      [isHead, encoding] = [true, null];
    }
    count.allLines++;
    if (isFirstHead) count.headerLines++;
    if (isHead || !encoding || !/base64/i.test(encoding) || !isOfBase64(line)) {
      count.lines++;
      count.bytes += bytes;
    }
    excess = (Object.keys(MAX) as (keyof typeof MAX)[]).find((what) => count[what] > MAX[what]) ?? null;
    return excess === null;
  });
  return excess;
}

/** The headers of an email, at most 64 kB in whole lines. */
export function headOf(raw: Uint8Array): Uint8Array {
  const begin = Buffer.from(raw.subarray(0, MAX_HEAD_BYTES));
  const end = /\r?\n\r?\n/.exec(begin.toString("latin1"))?.index;
  return begin.subarray(0, end ?? (raw.length > begin.length ? Math.max(0, begin.lastIndexOf(NEWLINE)) : begin.length));
}
