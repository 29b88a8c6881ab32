/** Hostile values, headers and methods. */
import { gzipSync } from "node:zlib";

/** Part of names, emails and messages; no log may contain it. */
export const PERSONAL_MARK = "zebedee";
export const SCRIPT = "hostile_script";
export const HEADER = "X-Hostile";
const FOREIGN = "evil.example";

const words = (text: string) => text.trim().split(/[ \n]+/);
const UUID = "00000000-0000-4000-8000-000000000000";

export const VALUES = [
  [""],
  words(`<script>${SCRIPT}()</script> '><svg/onload=${SCRIPT}()> </script><script>${SCRIPT}()</script>
    </title><script>${SCRIPT}()</script> </textarea><script>${SCRIPT}()</script> <!--<script>${SCRIPT}()</script>
    javascript:${SCRIPT}() {{constructor.constructor('${SCRIPT}()')()}} \${${SCRIPT}()} #{7*7}`),
  [`"><img src=x onerror=${SCRIPT}()>`, `\u2028</script><script>${SCRIPT}()//`, `<%= ${SCRIPT} %>`],
  ["' OR '1'='1", "'; DROP TABLE users; --", "1); DELETE FROM products; --", "\\'; SELECT pg_sleep(30); --"],
  words("$1 $$ :name ? %_\\ %'"),
  [`a\r\n${HEADER}: 1`, `a\r\n\r\n<script>${SCRIPT}()</script>`, "a\nSet-Cookie: hostile=1", `/\r\n${HEADER}: 1`],
  [`${PERSONAL_MARK}@example.com\r\nBcc: ${PERSONAL_MARK}@${FOREIGN}`, "=?utf-8?q?a=0d=0aBcc:x?="],
  ["a\0b", "\0", "a\u0001\b\u001b[31mb", "\u0085\u009f", "a\ud800b", "\udfff\ud800", "a\rb", "a\nb", "a\tb"],
  [`Ada \u202e${PERSONAL_MARK}\u202c`, "\u2066a\u2067b\u2068c\u2069", "\u202a+1 212 555 0100\u202c", "\u200d"],
  words(
    "a\u200bb\u200e\u200f \u200c\u200c \ufeffAda a\u2028b\u2029c a\u00adb \u3164 \ufffd\ufffe\uffff \u{e0001}\u{e0041}",
  ),
  words("محمد می\u200cخواهم אֲבְרָהָם क्\u200dषत्रिय 葛\u{e0100}城市 👩\u200d👩\u200d👧 ﷺﷺﷺ İstanbulŞSSßſK \u{10ffff}"),
  [
    "../../../../etc/passwd",
    "..\\..\\windows\\win.ini",
    "/etc/passwd\0.png",
    "file:///etc/passwd",
    "\\\\server\\share",
  ],
  words(`https://${FOREIGN}/ //${FOREIGN} /\\${FOREIGN} /\t/${FOREIGN} /..//${FOREIGN} /.//${FOREIGN} https:${FOREIGN}
    http://localhost@${FOREIGN} /%0d%0a${HEADER}:1 data:text/html,<script>${SCRIPT}()</script> /%2f%2f${FOREIGN} /\u202e
    /auth?redirect=/auth?redirect=/auth /😀 /\ud800 /account?tab=${"a".repeat(3_000)}`),
  words("__proto__ constructor prototype toString hasOwnProperty valueOf then length"),
  words(`null true {} [] {"__proto__":{"isAdmin":true}} {"$ne":null} ["a","b"] "\\ud800\\u0000" undefined`),
  ["[".repeat(5_000), '{"a":'.repeat(2_000), `[${`"${UUID}",`.repeat(400)}"a"]`],
  words(`1e309 -1e309 -0 NaN Infinity 0x10 0b1 +1 1.0 1,000 １ ١ -1 0 11 999999 2147483648 9223372036854775808 1e3 1_000
    0.1 ½ ${"9".repeat(400)} ${"0".repeat(5_000)}1`),
  [" 1", "1 ", `${UUID}\n`, ...words(`{${UUID}} ${UUID.slice(1)} ${UUID.slice(1)}g urn:uuid:${UUID}`)],
  words("0000-00-00 9999-99-99 -271821-04-20 275760-09-13T00:00:00.001Z 2026-02-30 now infinity"),
  words("example.com [127.0.0.1] localhost exämple.com example.com\0").map((at) => `${PERSONAL_MARK}@${at}`),
  [`"${PERSONAL_MARK} x"@example.com`, `${PERSONAL_MARK}@example.com, o@example.com`, `<${PERSONAL_MARK}@example.com>`],
  [
    `${PERSONAL_MARK}+tag@example.com`,
    `${"a".repeat(250)}@a.com`,
    `a@${"b.".repeat(120)}com`,
    `${"a.".repeat(9_000)}@`,
  ],
].flat();

/** The values percent-encoded, and bytes that are not UTF-8. */
export const ENCODED = [
  ...VALUES.map((value) => encodeURIComponent(value.toWellFormed())),
  ...["a", "é", "😀", "\u202e", "<", "'", "\u0301"].map((one) => encodeURIComponent(one).repeat(20_001 / one.length)),
  ...words("%C0%80 %C0%AF %E0%80%AF %ED%A0%80 %F8%88%80%80%80 %FF%FE % %u0000 %zz %e2%80"),
];
/** Ends that turn an address into another one. */
export const ENDS = words(`/ // /..%2f..%2f..%2fetc%2fpasswd /%2e%2e/%2e%2e/package.json %00 % %c0%ae
  %0d%0a${HEADER}:%201 .php .md ;jsessionid=1 .json .data.data \\..\\.. ?${"&".repeat(2_000)} ?${"a=1&".repeat(1_500)}
  ?${"[".repeat(500)}=1 /\u00fc`);
export const ADDRESSES = words(`/assets/..%2f..%2fserver%2findex.js /.env /.git/config /${"%2e%2e%2f".repeat(300)}
  /${"a/".repeat(3_000)} /__manifest?${"paths=/a,".repeat(500)} //${FOREIGN}/shop //cart /SHOP /%73%68op
  http://${FOREIGN}/shop /shop.data?_routes=${"a".repeat(4_000)} /shop.data?_routes=root,root /_.data?_routes=%00`);
export const METHODS = words("TRACE PROPFIND PATCH PUT DELETE OPTIONS HEAD QUERY PURGE LOCK MKCOL M-SEARCH SOURCE");

/** Headers, a set on each line. */
export const HEADERS = `X-Forwarded-Host: ${FOREIGN} | X-Forwarded-Proto: javascript | X-Forwarded-Port: 0
X-Forwarded-For: 127.0.0.1, ::1, 10.0.0.1, [::ffff:127.0.0.1]:80 | X-Real-IP: 127.0.0.1
X-Original-URL: /mailbox | X-Rewrite-URL: /mailbox
Range: bytes=0-0,0-0,0-0
Range: bytes=-1
Range: bytes=9-1
Range: bytes=0-99999999999999
If-Match: * | If-Unmodified-Since: 0 | If-None-Match:
Accept-Encoding: br;q=0
Accept-Encoding: gzip, gzip, gzip
Accept-Encoding: identity;q=0
Accept-Encoding: ${",".repeat(5_000)}
Origin: null
Origin: https://${FOREIGN}
Origin: | Sec-Fetch-Site: same-origin
User-Agent: \u0085\u009b ${"x".repeat(7_000)} | Accept-Language: ${"x".repeat(5_000)} | Accept-Charset: utf-7
Authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.
__proto__: 1 | constructor: 1 | then: 1
Connection: keep-alive, close, upgrade, x-caller-address
X-React-Router-Prefetch: 1 | Purpose: prefetch | X-Middleware-Subrequest: a
${Array.from({ length: 200 }, (_, i) => `X-${i}: ${"a".repeat(30)}`).join(" | ")}`.split("\n");
/** Headers that take any value. */
export const OPEN_HEADERS =
  words(`X-Forwarded-For Forwarded If-None-Match If-Modified-Since Accept Accept-Encoding Origin Range
  Referer User-Agent Authorization x-caller-address traceparent baggage X-Request-Id`);

const cookies = words(
  "polara_guest polara_flash polara.session_token polara.session_data polara.two_factor polara.state",
);
export const COOKIES = [
  ...ENCODED.map((value, i) => `${cookies[i % cookies.length]}=${value.slice(0, 3_000)}`),
  `polara.session_token=${encodeURIComponent(`token.${"A".repeat(43)}=`)}`,
  `polara.session_token=%; polara.session_data=${Buffer.from('{"session":{"user":{"id":"a"}}}').toString("base64")}`,
  "__proto__=1; constructor=1; polara_flash=__proto__",
  ";".repeat(3_000),
  "a=b; ".repeat(1_500),
  "=; =; ==",
  '"',
];

const FORM = "application/x-www-form-urlencoded";
const PART = `--x\r\nContent-Disposition: form-data; name="email"; filename="../../x"\r\n\r\n1\r\n`;
const RIGHT = "email=a@example.com&name=a&message=b";
/** Bodies with the lines of the head that describe them. */
export const BODIES: [body: string | Buffer, ...headers: string[]][] = [
  ["x[5000000]=1", FORM],
  ["&".repeat(50_000), FORM],
  ["=".repeat(50_000), FORM],
  ["email=1&".repeat(3_000), FORM],
  [`${"[0]".repeat(2_000)}=1`, FORM],
  [`${RIGHT}&_method=DELETE&_action=a`, FORM],
  [RIGHT, `${FORM}; charset=utf-16`],
  [RIGHT, `${FORM};${"a=b;".repeat(500)}`],
  ["{".repeat(20_000), "application/json"],
  [`${PART}--x--\r\n`, "multipart/form-data; boundary=x"],
  [PART, 'multipart/form-data; boundary="x'],
  ["--x\r\n".repeat(5_000), `multipart/form-data; boundary=${"x".repeat(3_000)}`],
  [gzipSync(RIGHT), FORM, "Content-Encoding: gzip"],
  // Ten megabytes in ten kilobytes.
  [gzipSync("a".repeat(10_000_000)), FORM, "Content-Encoding: gzip, gzip"],
  [Buffer.from(RIGHT, "utf16le"), FORM],
  [`\ufeff${RIGHT}`, FORM],
  [Buffer.from(Array.from({ length: 1_000 }, (_, i) => (i % 223) + 0x21)), FORM],
  [`email=${"%F0%9F%98%80".repeat(5_000)}`, FORM],
  [`<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>`, "text/xml"],
];

const smuggled = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n";
const post = (lines: string, body: string) =>
  `POST /support HTTP/1.1 | Host: localhost | Content-Type: ${FORM} | ${lines}`.replaceAll(" | ", "\r\n") +
  `\r\n\r\n${body}`;
const get = (lines: string) => `GET /cart HTTP/1.1 | ${lines}`.replaceAll(" | ", "\r\n") + "\r\n\r\n";
/** Requests that are no HTTP, or end before they are complete. */
export const BROKEN = [
  ...["-1", "1e3", "99999999999999999999", "5, 5", "200"].map((length) => post(`Content-Length: ${length}`, RIGHT)),
  post(`Content-Length: ${RIGHT.length}`, RIGHT + smuggled),
  ...["24\r\n", `${"f".repeat(30)}\r\n`, `zz\r\n${RIGHT}\r\n0\r\n\r\n`, "", `11170\r\n${"a".repeat(70_000)}`].map(
    (body) => post("Transfer-Encoding: chunked", body),
  ),
  post("Transfer-Encoding: chunked | Content-Length: 5", `0\r\n\r\n${smuggled}`),
  post("Transfer-Encoding: gzip", RIGHT),
  ...["Expect: 200-maybe", "Upgrade: websocket | Connection: Upgrade"].map((lines) => post(lines, RIGHT)),
  ...[`X-Big: ${"a".repeat(20_000)}`, `${"X-Many: 1 | ".repeat(3_000)}X-Many: 1`, "Bad Name: 1", "X-Null: a\0b"].map(
    (lines) => get(`Host: localhost | ${lines}`),
  ),
  get("X-Folded: a\r b"),
  ...["get", "Post", "CONNECT", "FOO", "GET\0", "PRI"].map((method) => get("Host: localhost").replace("GET", method)),
  "x",
  "/ü😀",
];
