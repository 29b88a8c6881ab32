import { expect, it } from "vitest";
import { afterFirstPaint } from "./after-first-paint.ts";

const PRELOADS = '<link rel="modulepreload" href="/a.js"/><link rel="modulepreload" href="/b.js"/>';
const MODULE = '<script nonce="1" type="module" async="">import "/a.js";</script>';

it("the module script and its preloads move into a template, in order", () => {
  const html = afterFirstPaint(`<head>${PRELOADS}<title>Home</title></head><body>Home${MODULE}</body>`, "1");
  expect(html).toContain("<head><title>Home</title></head><body>Home<template>");
  expect(html).toContain(`<template>${PRELOADS}${MODULE}</template><script nonce="1">`);
});

it("a document without a module script does not change", () => {
  expect(afterFirstPaint("<p>Hello</p>", "1")).toBe("<p>Hello</p>");
});
