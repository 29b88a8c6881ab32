/** Methods, headers, cookies, addresses and framing that no browser sends. */
import { FORM, type Draft, type Header, type Kinds } from "./attempt.ts";
import { FOREIGN_SITE, SCRIPT_MARK } from "./values.ts";

const METHODS =
  "TRACE PROPFIND PATCH PUT DELETE OPTIONS HEAD QUERY PURGE LOCK MKCOL M-SEARCH SOURCE get Post CONNECT FOO GET\0 PRI".split(
    " ",
  );

export const hostileFrames: Kinds = {
  "a frame that does not fit": {
    weight: 5,
    make: (attempt) => {
      const { chance } = attempt;
      const form = chance.pick(attempt.target.forms);
      const right = attempt.rightBody(form);
      const type: Header = ["Content-Type", FORM];
      const chunked: Header = ["Transfer-Encoding", "chunked"];
      const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
      const smuggled = `GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n`;
      const odd: Partial<Draft>[] = [
        { body: right, length: String(right.length + 50), whole: false },
        { body: right + smuggled, length: String(right.length), whole: false },
        { body: right, length: "-1", whole: false },
        { body: right, length: "1e3", whole: false },
        { body: right, length: "99999999999999999999", whole: false },
        { body: right, length: "5, 5", whole: false },
        { body: right, length: null, whole: false },
        { body: `${chunk(right)}0\r\n\r\n`, length: null, headers: [type, chunked] },
        { body: `${Array.from(right.slice(0, 400), chunk).join("")}0\r\n\r\n`, length: null, headers: [type, chunked] },
        { body: chunk(right), length: null, headers: [type, chunked], whole: false },
        { body: `zz\r\n${right}\r\n0\r\n\r\n`, length: null, headers: [type, chunked], whole: false },
        { body: `${"f".repeat(30)}\r\n${right}`, length: null, headers: [type, chunked], whole: false },
        { body: `0\r\n\r\n${smuggled}`, length: "5", headers: [type, chunked], whole: false },
        { body: `${chunk("a".repeat(70_000))}0\r\n\r\n`, length: null, headers: [type, chunked], whole: false },
        { body: right, length: null, headers: [type, ["Transfer-Encoding", "gzip"]], whole: false },
        // On a connection of its own: Node may put its 100 after the head of an answer that follows another at once.
        { body: right, headers: [type, ["Expect", "100-continue"]], whole: false },
        { body: right, headers: [type, ["Expect", "200-maybe"]], whole: false },
        { body: right, headers: [type, ["Upgrade", "websocket"], ["Connection", "Upgrade"]], whole: false },
        { body: right, headers: [type, ["Upgrade", "h2c"], ["Connection", "Upgrade, HTTP2-Settings"]], whole: false },
        { method: "GET", body: right },
        { method: "HEAD", body: right },
      ];
      return { ...attempt.post(form, ""), headers: [type], ...chance.pick(odd) };
    },
  },
  "an odd method": {
    weight: 6,
    make: (attempt) => {
      const { chance } = attempt;
      const form = chance.pick(attempt.target.forms);
      const path = chance.maybe(0.5) ? form.path : chance.pick(attempt.target.paths);
      const method = chance.pick(METHODS);
      const whole = /^(TRACE|P[AURT]\w+|DELETE|OPTIONS|HEAD|LOCK|MKCOL|M-SEARCH)$/.test(method) && method !== "PRI";
      const override: Header[] = chance.maybe(0.3) ? [["X-HTTP-Method-Override", "DELETE"]] : [];
      const body = chance.maybe(0.5) ? attempt.rightBody(form) : "";
      return { method, path: attempt.dressed(path), headers: [["Content-Type", FORM], ...override], body, whole };
    },
  },
  "odd headers": {
    weight: 8,
    make: (attempt) => {
      const { chance } = attempt;
      const latin = () =>
        Buffer.from(attempt.value().slice(0, 3_000))
          .toString("latin1")
          .replace(/[\0\r\n]/g, "");
      const odd: [headers: Header[], whole?: boolean][] = [
        [[["Host", FOREIGN_SITE]], false],
        [
          [
            ["X-Forwarded-Host", FOREIGN_SITE],
            ["X-Forwarded-Proto", "javascript"],
            ["X-Forwarded-Port", "0"],
          ],
        ],
        [
          [
            ["X-Forwarded-For", latin()],
            ["Forwarded", `for="${latin()}"`],
          ],
        ],
        [
          [
            ["X-Forwarded-For", "127.0.0.1, ::1, 10.0.0.1, [::ffff:127.0.0.1]:80"],
            ["X-Real-IP", "127.0.0.1"],
          ],
        ],
        [
          [
            ["X-Original-URL", "/mailbox"],
            ["X-Rewrite-URL", "/mailbox"],
          ],
        ],
        [[["X-Big", "a".repeat(20_000)]], false],
        [Array.from({ length: 200 }, (_, i): Header => [`X-${i}`, "a".repeat(30)])],
        [Array.from({ length: 3_000 }, (_, i): Header => [`X-${i}`, "1"]), false],
        [
          [
            [
              "Range",
              chance.pick(["bytes=0-0,0-0,0-0", "bytes=-1", "bytes=9-1", "bytes=a-b", "bytes=0-99999999999999"]),
            ],
          ],
        ],
        [[["If-None-Match", latin()]]],
        [
          [
            ["If-None-Match", ""],
            ["If-Modified-Since", latin()],
            ["If-Match", "*"],
            ["If-Unmodified-Since", "0"],
          ],
        ],
        [
          [
            ["Accept", latin()],
            ["Accept-Language", "x".repeat(5_000)],
            ["Accept-Charset", "utf-7"],
          ],
        ],
        [
          [
            [
              "Accept-Encoding",
              chance.pick(["br;q=0", "gzip, gzip, gzip", "*", "identity;q=0", ",".repeat(5_000), latin()]),
            ],
          ],
        ],
        [[["Origin", "null"]]],
        [[["Origin", `https://${FOREIGN_SITE}`]]],
        [[["Origin", latin()]]],
        [
          [
            ["Origin", ""],
            ["Sec-Fetch-Site", "same-origin"],
          ],
        ],
        [
          [
            ["Referer", latin()],
            ["User-Agent", latin()],
          ],
        ],
        [[["User-Agent", `\u0085\u009b ${"x".repeat(7_000)}`]]],
        [[["Authorization", `Bearer ${latin()}`]]],
        [[["Authorization", "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0."]]],
        [
          [
            ["__proto__", "1"],
            ["constructor", "1"],
            ["then", "1"],
          ],
        ],
        [[["Bad Name", "1"]], false],
        [[["X-Null", "a\0b"]], false],
        [[["X-Folded", "a\r\n b"]], false],
        [[["Connection", "keep-alive, close, upgrade, x-caller-address"]], false],
        [[["x-caller-address", latin()]]],
        [
          [
            ["X-React-Router-Prefetch", "1"],
            ["Purpose", "prefetch"],
            ["X-Middleware-Subrequest", "a"],
          ],
        ],
        [
          [
            ["traceparent", latin()],
            ["baggage", latin()],
            ["X-Request-Id", latin()],
          ],
        ],
      ];
      const [headers, whole = true] = chance.pick(odd);
      const form = chance.pick(attempt.target.forms);
      return chance.maybe(0.5)
        ? { ...attempt.post(form, attempt.rightBody(form), [["Content-Type", FORM], ...headers]), whole }
        : { method: "GET", path: attempt.dressed(chance.pick(attempt.target.paths)), headers, whole };
    },
  },
  "no or two hosts": {
    weight: 1,
    make: (attempt) => {
      const path = attempt.chance.pick(attempt.target.paths);
      const hosts = attempt.chance.pick<string[]>([
        [],
        ["localhost", FOREIGN_SITE],
        [""],
        ["a b"],
        [`${FOREIGN_SITE}/x?`],
        [`localhost@${FOREIGN_SITE}`],
        ["[::1"],
        ["x".repeat(5_000)],
        ["localhost:99999"],
        [`<script>${SCRIPT_MARK}()</script>`],
      ]);
      return { method: "GET", path, headers: hosts.map((host) => ["Host", host]), whole: false, noHost: true };
    },
  },
  "odd cookies": {
    weight: 6,
    make: (attempt) => {
      const { chance } = attempt;
      const value = attempt.value().slice(0, 3_000);
      const text = chance.maybe(0.5) ? encodeURIComponent(value.toWellFormed()) : value.replace(/[^\x20-\x7e]/g, "");
      const cookie = chance.pick([
        `polara_guest=${text}`,
        `polara_guest=${chance.pick(attempt.target.theirs)}; polara_guest=${text}`,
        `polara_flash=${text}`,
        `polara_flash=__proto__`,
        `polara_flash=constructor`,
        `polara.session_token=${text}`,
        `polara.session_token=${encodeURIComponent(`${text.slice(0, 40)}.${"A".repeat(43)}=`)}`,
        `polara.session_token=%; polara.session_data=${text}`,
        `polara.session_data=${Buffer.from('{"session":{"user":{"id":"a"}}}').toString("base64")}`,
        `polara.two_factor=${text}; polara.trust_device=${text}; polara.state=${text}`,
        `${attempt.who.cookie}; ${attempt.who.cookie}; a=${text}`,
        `${attempt.who.cookie.slice(0, -4)}AAAA`,
        `__proto__=1; constructor=1; ${attempt.who.cookie}`,
        ";".repeat(3_000),
        "a=b; ".repeat(1_500),
        "=; =; ==",
        '"',
      ]);
      const form = chance.pick(attempt.target.forms);
      const headers: Header[] = [["Cookie", cookie]];
      return chance.maybe(0.4)
        ? attempt.post(form, attempt.rightBody(form), [["Content-Type", FORM], ...headers])
        : { method: "GET", path: attempt.dressed(chance.pick(attempt.target.paths)), headers };
    },
  },
  "a hostile query": {
    weight: 14,
    make: (attempt) => {
      const path = attempt.chance.pick(attempt.target.paths);
      return { method: "GET", path: attempt.dressed(`${path.split("?")[0]}?${attempt.query()}`), headers: [] };
    },
  },
  "a page, by any visitor": {
    weight: 3,
    make: (attempt) => ({
      method: "GET",
      path: attempt.dressed(attempt.chance.pick(attempt.target.paths)),
      headers: [],
    }),
  },
  "an odd address": {
    weight: 10,
    make: (attempt) => {
      const path = attempt.oddPath();
      const isOdd = !/^\/[\x21-\x7e]*$/.test(path) || path.length > 12_000;
      return { method: attempt.chance.maybe(0.85) ? "GET" : "POST", path, headers: [], whole: !isOdd };
    },
  },
};
