/** Forms with something in them that no page of the shop sends. */
import { gzipSync } from "node:zlib";
import { FORM, type Header, type Kinds } from "./attempt.ts";
import { SCRIPT_MARK } from "./values.ts";

const JUNK = Array.from({ length: 256 - 0x21 }, (_, i) => String.fromCharCode(i + 0x21)).join("");

/** Ten megabytes in ten kilobytes. */
const BOMB = gzipSync("a".repeat(10_000_000));

export const hostileForms: Kinds = {
  "one hostile value": {
    weight: 30,
    make: (attempt) => {
      const form = attempt.chance.pick(attempt.target.forms);
      const pairs = attempt.fill(form);
      const spoiled = attempt.chance.below(pairs.length || 1);
      return attempt.post(
        form,
        attempt.encode(pairs.map(([name, value], i) => [name, i === spoiled ? attempt.value() : value])),
      );
    },
  },
  "every value hostile": {
    weight: 6,
    make: (attempt) => {
      const form = attempt.chance.pick(attempt.target.forms);
      return attempt.post(form, attempt.encode(form.fields.map((name) => [name, attempt.value().slice(0, 1_500)])));
    },
  },
  "a right form": {
    weight: 3,
    make: (attempt) => {
      const form = attempt.chance.pick(attempt.target.forms);
      return attempt.post(form, attempt.rightBody(form));
    },
  },
  "names of its own": {
    weight: 8,
    make: (attempt) => {
      const { chance } = attempt;
      const form = chance.pick(attempt.target.forms);
      const field = chance.pick([...form.fields, "a"]);
      const name = chance.pick([
        `${field}[5000000]`,
        `${field}[]`,
        `${field}.a.b.c.d.e.f[99999999]`,
        `__proto__[x]`,
        "__proto__",
        "constructor.prototype.x",
        `${field}[__proto__]`,
        `${field}\0`,
        "a.".repeat(2_000) + "a",
        "[0]".repeat(2_000),
        `<script>${SCRIPT_MARK}()</script>`,
        "",
      ]);
      const right = attempt.rightBody(form);
      const odd = [
        `${right}&${encodeURIComponent(name)}=1`,
        `${right}&${right}`,
        Array.from({ length: 2_000 }, (_, i) => `f${i}=1`).join("&"),
        `${field}=1&`.repeat(3_000),
        "&".repeat(50_000),
        "=".repeat(50_000),
        `${right}&_method=DELETE&_action=${field}`,
        `${right}&${encodeURIComponent(name)}`,
      ];
      return attempt.post(form, chance.pick(odd));
    },
  },
  "another kind of body": {
    weight: 8,
    make: (attempt) => {
      const { chance } = attempt;
      const form = chance.pick(attempt.target.forms);
      const right = attempt.rightBody(form);
      const part = (name: string, value: string, more = "") =>
        `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
      const field = form.fields[0] ?? "a";
      const odd: [body: string | Buffer, headers: Header[]][] = [
        [right, []],
        [right, [["Content-Type", "text/plain"]]],
        [right, [["Content-Type", "multipart/form-data"]]],
        [
          right,
          [
            ["Content-Type", FORM],
            ["Content-Type", "application/json"],
          ],
        ],
        [right, [["Content-Type", `${FORM}; charset=utf-16`]]],
        [right, [["Content-Type", `${FORM};${"a=b;".repeat(500)}`]]],
        [JSON.stringify(attempt.who.right), [["Content-Type", "application/json"]]],
        ["{".repeat(20_000), [["Content-Type", "application/json"]]],
        [`${part(field, "1")}--x--\r\n`, [["Content-Type", "multipart/form-data; boundary=x"]]],
        [part(field, "1"), [["Content-Type", "multipart/form-data; boundary=x"]]],
        [part(field, "1", '; filename="../../x"'), [["Content-Type", 'multipart/form-data; boundary="x']]],
        ["--x\r\n".repeat(5_000), [["Content-Type", `multipart/form-data; boundary=${"x".repeat(3_000)}`]]],
        [
          gzipSync(right),
          [
            ["Content-Type", FORM],
            ["Content-Encoding", "gzip"],
          ],
        ],
        [
          BOMB,
          [
            ["Content-Type", FORM],
            ["Content-Encoding", "gzip, gzip"],
          ],
        ],
        [Buffer.from(JUNK.repeat(4), "latin1"), [["Content-Type", FORM]]],
        [Buffer.from(right, "utf16le"), [["Content-Type", FORM]]],
        [`\ufeff${right}`, [["Content-Type", FORM]]],
        [`${field}=${"a".repeat(70_000)}`, [["Content-Type", FORM]]],
        [`${field}=${"%F0%9F%98%80".repeat(5_000)}`, [["Content-Type", FORM]]],
        [`<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>`, [["Content-Type", "text/xml"]]],
      ];
      const [body, headers] = chance.pick(odd);
      return attempt.post(form, body, headers);
    },
  },
};
