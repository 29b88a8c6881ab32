import { expect, it } from "vitest";
import { excessOf, headOf } from "./mail-limits.ts";

const line = (bytes: number) => `${"A".repeat(bytes)}\r\n`;
const inBase64 = (lines: string, encoding = "Content-Transfer-Encoding: base64") =>
  `From: a@example.com\r\n${encoding}\r\n\r\n${lines}`;

it.each<[string, string, ReturnType<typeof excessOf>]>([
  ["nothing", "", null],
  ["a long text", `From: a@example.com\r\n\r\n${"word ".repeat(10)}\r\n`.repeat(10_000), null],
  ["an attachment of 20 MB", inBase64(line(76).repeat(270_000)), null],
  ["an attachment with padding at its end", inBase64(`${line(76).repeat(60_000)}${"A".repeat(50)}==`), null],
  ["an attachment in one line", inBase64("A".repeat(5_000_000)), null],
  ["too many lines", "\n".repeat(50_001), "lines"],
  ["too much text", "word ".repeat(500_000), "bytes"],
  ["text in the letters of base64", `From: a@example.com\r\n\r\n${line(60).repeat(50_001)}`, "bytes"],
  ["base64 of short lines", inBase64(line(8).repeat(50_001)), "lines"],
  ["base64 with padding everywhere", inBase64("A=".repeat(1_100_000)), "bytes"],
  [
    "an encoding that is said after another",
    inBase64(line(60).repeat(50_001), "Content-Transfer-Encoding: 7bit\r\nContent-Transfer-Encoding: base64"),
    "bytes",
  ],
  ["an encoding that a part before had", `${inBase64("")}--b\r\n\r\n${line(60).repeat(50_001)}`, "bytes"],
  ["too many lines of base64", inBase64(line(40).repeat(400_001)), "allLines"],
  ["too many headers", `${"X: a\r\n".repeat(1_001)}\r\n`, "headerLines"],
  ["too many boundaries", `From: a@example.com\r\n\r\n${"--\r\n".repeat(1_001)}`, "boundaries"],
])("what an email has too much of is told of one with %s", (_what, raw, excess) => {
  expect(excessOf(Buffer.from(raw))).toBe(excess);
});

it.each([
  ["up to the empty line", "From: a@example.com\r\nX: y\r\n\r\nHello", "From: a@example.com\r\nX: y"],
  ["with bare line feeds", "From: a@example.com\n\nHello", "From: a@example.com"],
  ["alone", "From: a@example.com", "From: a@example.com"],
  ["in whole lines, if they are long", `From: a@example.com\n${`X: ${"y".repeat(97)}\n`.repeat(1_000)}`, null],
])("the headers are read %s", (_how, raw, head) => {
  const read = headOf(Buffer.from(raw)).toString();
  if (head !== null) expect(read).toBe(head);
  else expect([read.length < 65_536, read.endsWith("y")]).toEqual([true, true]);
});
