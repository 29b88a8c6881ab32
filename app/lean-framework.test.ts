import { readFileSync } from "node:fs";
import { Script } from "node:vm";
import { expect, test } from "vitest";
import { allCuts, lean, refuseUse } from "./lean-framework.ts";

test("what is left of React still is a program, without what was cut", () => {
  const react = readFileSync("node_modules/react-dom/cjs/react-dom-client.production.js", "utf8");
  const left = lean(react, allCuts());

  expect(() => new Script(left)).not.toThrow();
  expect(left).not.toMatch(/case 30:|FragmentInstance\.prototype/);
  expect(left).toContain("function unwindWork(");
});

test("a cut that is not found stays missing", () => {
  const missing = allCuts();
  const all = missing.size;

  expect(lean("function shouldBlockNavigation(args) {\n  return args;\n}\n", missing)).toBe(
    "function shouldBlockNavigation() {}\n",
  );
  expect(missing.size).toBe(all - 1);
});

test.each([
  'import { Suspense, ViewTransition } from "react";',
  "React.useActionState(save, null)",
  '<Fragment key="a" ref={part}>',
  "<form action={async (data) => save(data)}>",
  "<input onSelect={mark} />",
  "<li onTouchStart={hold}>",
  "jsx('div', { onMouseDownCapture: close })",
  'import { Link, useBlocker } from "react-router";',
])("a module that uses what is left out fails the build: %s", (code) => {
  expect(() => refuseUse(code)).toThrow("app/lean-framework.ts");
});

test.each([
  'import { Suspense } from "react";\nimport { ViewTransition } from "./mine.tsx";',
  '<form action="/cart" method="post">',
  "<li onMouseMove={follow} onPointerDown={hold}>",
  'import { useViewTransitionState } from "react-router";',
])("other modules do not: %s", (code) => {
  expect(() => refuseUse(code)).not.toThrow();
});
