/** What an attacker writes where a shopper writes a name. Everything is chosen by a number, so that a run can be repeated. */

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export class Chance {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  below(count: number): number {
    return Math.floor(this.next() * count);
  }
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
  maybe(probability: number): boolean {
    return this.next() < probability;
  }
}

/** Runs if a page repeats it as it is. */
export const SCRIPT_MARK = "hostile_script";
/** Is a header if an answer repeats it as it is. */
export const HEADER_MARK = "X-Hostile";
/** Stands in names, emails and messages: nothing of the kind may be in a log. */
export const PERSONAL_MARK = "zebedee";
/** Where a redirect must not lead. */
export const FOREIGN_SITE = "evil.example";

const scripts = [
  `<script>${SCRIPT_MARK}()</script>`,
  `"><img src=x onerror=${SCRIPT_MARK}()>`,
  `'><svg/onload=${SCRIPT_MARK}()>`,
  `</script><script>${SCRIPT_MARK}()</script>`,
  `</title><script>${SCRIPT_MARK}()</script>`,
  `</textarea><script>${SCRIPT_MARK}()</script>`,
  `<!--<script>${SCRIPT_MARK}()</script>`,
  `javascript:${SCRIPT_MARK}()`,
  `\u2028</script><script>${SCRIPT_MARK}()//`,
  `{{constructor.constructor('${SCRIPT_MARK}()')()}}`,
  `\${${SCRIPT_MARK}()}`,
  `<%= ${SCRIPT_MARK} %>`,
  "#{7*7}",
];
const statements = [
  "' OR '1'='1",
  "'; DROP TABLE users; --",
  `1); DELETE FROM products; --`,
  "\\'; SELECT pg_sleep(30); --",
  "%' UNION SELECT password FROM accounts --",
  "$1",
  "$$",
  ":name",
  "?",
  "%_\\",
];
const headers = [
  `a\r\n${HEADER_MARK}: 1`,
  `a\r\n\r\n<script>${SCRIPT_MARK}()</script>`,
  `a\nSet-Cookie: hostile=1`,
  `${PERSONAL_MARK}@example.com\r\nBcc: ${PERSONAL_MARK}@${FOREIGN_SITE}`,
  `=?utf-8?q?a=0d=0aBcc:x?=`,
];
const invisible = [
  "a\0b",
  "\0",
  "a\u0001\u0008\u001b[31mb",
  "\u0085\u009f",
  "a\ud800b",
  "\udfff\ud800",
  `Ada \u202e${PERSONAL_MARK}\u202c`,
  "\u2066a\u2067b\u2068c\u2069",
  "\u202a+1 212 555 0100\u202c",
  "a\u200bb\u200e\u200f",
  "\u200d",
  "\u200c\u200c",
  "\ufeffAda",
  "a\u2028b\u2029c",
  "a\u00adb",
  "\u3164",
  "\ufffd\ufffe\uffff",
  "a\rb",
  "a\nb",
  "a\tb",
  "\u{e0001}\u{e0041}",
  "\u{10ffff}",
];
const scriptsOfPeople = [
  "محمد عبد الله",
  "می\u200cخواهم",
  "אֲבְרָהָם",
  "क्\u200dषत्रिय",
  "അവന്\u200d",
  "葛\u{e0100}城市",
  "Ζωή Παπαδοπούλου",
  "👩\u200d👩\u200d👧\u200d👦 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  "Z̸̧̢͔̝͚̘a̵l̶g̷o̴".repeat(4),
  "ﷺﷺﷺ",
  "İstanbul ŞSS ß ſ K",
];
const long = ["a", "é", "😀", "\u202e", "<", "%00", "'", "1", " ", "\u0301"].map(
  (piece) => (chance: Chance) => piece.repeat(chance.pick([101, 256, 1_000, 6_000, 19_999, 20_001]) / piece.length),
);
const paths = [
  "../../../../etc/passwd",
  "..\\..\\windows\\win.ini",
  "/etc/passwd\0.png",
  "file:///etc/passwd",
  "....//....//",
  "C:\\",
  "\\\\server\\share",
];
const targets = [
  `https://${FOREIGN_SITE}/`,
  `//${FOREIGN_SITE}`,
  `/\\${FOREIGN_SITE}`,
  `/\t/${FOREIGN_SITE}`,
  `/..//${FOREIGN_SITE}`,
  `/.//${FOREIGN_SITE}`,
  `https:${FOREIGN_SITE}`,
  `http://localhost@${FOREIGN_SITE}`,
  `/%0d%0a${HEADER_MARK}: 1`,
  `/\r\n${HEADER_MARK}: 1`,
  `data:text/html,<script>${SCRIPT_MARK}()</script>`,
  "/auth?redirect=/auth?redirect=/auth",
  "/%2f%2fevil.example",
  "/\u202e",
  "/😀",
  "/\ud800",
  `/account?tab=${"a".repeat(3_000)}`,
];
const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "then", "length"];
const json = [
  "null",
  "true",
  "{}",
  "[]",
  '{"__proto__":{"isAdmin":true}}',
  '{"$ne":null}',
  '["a","b"]',
  '"\\ud800\\u0000"',
  "[".repeat(5_000),
  '{"a":'.repeat(2_000),
  `[${'"00000000-0000-4000-8000-000000000000",'.repeat(400)}"a"]`,
  "undefined",
  "[object Object]",
];
const numbers = [
  "1e309",
  "-1e309",
  "-0",
  "NaN",
  "Infinity",
  "0x10",
  "0b1",
  " 1",
  "1 ",
  "+1",
  "1.0",
  "1,000",
  "１",
  "١",
  "-1",
  "0",
  "11",
  "999999",
  "2147483648",
  "9223372036854775808",
  "1e3",
  "1_000",
  "9".repeat(400),
  "0".repeat(5_000) + "1",
  "0.1",
  "½",
];
const dates = [
  "0000-00-00",
  "9999-99-99",
  "-271821-04-20",
  "275760-09-13T00:00:00.001Z",
  "2026-02-30",
  "now",
  "infinity",
];
const ids = [
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "{00000000-0000-4000-8000-000000000000}",
  "000000000000400080000000000000000",
  "00000000-0000-4000-8000-00000000000",
  "00000000-0000-4000-8000-00000000000g",
  "00000000-0000-4000-8000-000000000000\n",
  "urn:uuid:00000000-0000-4000-8000-000000000000",
  "ABCDEFAB-CDEF-4ABC-8DEF-ABCDEFABCDEF",
];
const emails = [
  `${PERSONAL_MARK}@example.com`,
  `${PERSONAL_MARK}+tag@example.com`,
  `"${PERSONAL_MARK} x"@example.com`,
  `${PERSONAL_MARK}@[127.0.0.1]`,
  `${PERSONAL_MARK}@localhost`,
  `${PERSONAL_MARK}@example.com, other@example.com`,
  `<${PERSONAL_MARK}@example.com>`,
  `${PERSONAL_MARK}@exämple.com`,
  `${"a".repeat(250)}@example.com`,
  `a@${"b.".repeat(120)}com`,
  `${"a.".repeat(9_000)}@`,
  `${PERSONAL_MARK}@example.com\0`,
];

const kinds = [
  [""],
  scripts,
  statements,
  headers,
  invisible,
  scriptsOfPeople,
  paths,
  targets,
  names,
  json,
  numbers,
  dates,
  ids,
  emails,
];

/** One hostile value; `theirs` are ids that belong to somebody else. */
export function hostileValue(chance: Chance, theirs: readonly string[] = []): string {
  if (chance.maybe(0.08)) return chance.pick(long)(chance);
  if (theirs.length > 0 && chance.maybe(0.08)) return chance.pick(theirs);
  const value = chance.pick(chance.pick(kinds));
  return chance.maybe(0.1) ? value + chance.pick(chance.pick(kinds)) : value;
}

/** Bytes that are no UTF-8, as percent-encoded. */
const broken = [
  "%C0%80",
  "%C0%AF",
  "%E0%80%AF",
  "%ED%A0%80",
  "%F8%88%80%80%80",
  "%FF%FE",
  "%",
  "%u0000",
  "%zz",
  "%e2%80",
];

/** A value as it stands in a form or a query; sometimes as none should stand there. */
export function encodeValue(chance: Chance, value: string): string {
  if (chance.maybe(0.06)) return chance.pick(broken) + encodeURIComponent(value.toWellFormed());
  // JavaScript's own encoder refuses half a surrogate pair, an attacker does not.
  return Array.from(value, (one) => (one.isWellFormed() ? encodeURIComponent(one) : surrogateBytes(one))).join("");
}

const surrogateBytes = (one: string) => {
  const code = one.charCodeAt(0);
  return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
    .map((byte) => `%${byte.toString(16).padStart(2, "0")}`)
    .join("");
};
