import { expect, it } from "vitest";
import { Refusal } from "../refusal.ts";
import { readForm } from "./form.ts";

const read = (text: string) => readForm(new URLSearchParams(text));

it.each<[string, object]>([
  ["", {}],
  ["a=1&b=", { a: "1", b: "" }],
  ["a[b][c]=1&a[b][d]=2", { a: { b: { c: "1", d: "2" } } }],
  ["a[0]=x&a[1]=y", { a: ["x", "y"] }],
  ["a[]=x&a[]=y", { a: ["x", "y"] }],
  ["a[0][b]=x&a[0][c]=y&a[1][b]=z", { a: [{ b: "x", c: "y" }, { b: "z" }] }],
  ["a[1]=x", { a: { 1: "x" } }],
  ["a%5Bb%5D=%26", { a: { b: "&" } }],
])("reads %j", (text, value) => {
  expect(read(text)).toEqual(value);
});

it("a name of every object is a name like others", () => {
  const params = read("a[__proto__][admin]=1&constructor=2");
  expect(Object.keys(params)).toEqual(["a", "constructor"]);
  expect(({} as { admin?: string }).admin).toBeUndefined();
});

it.each([
  "a=1&a[b]=2",
  "[b]=1",
  "a[b=1",
  `a${"[b]".repeat(9)}=1`,
  Array.from({ length: 1_001 }, (_, i) => `a${i}=1`).join("&"),
])("refuses %.20s", (text) => {
  expect(() => read(text)).toThrow(Refusal);
});
