import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { AHEAD, classesOf, filesOfPages, usedStyles, withImports } from "./page-styles.ts";

it("a page has its own file and those of the layouts around it, and the back office none", () => {
  const pages = filesOfPages([
    {
      file: "routes/layout.tsx",
      children: [
        { id: "home", file: "routes/home.tsx", index: true },
        { file: "routes/cart.tsx", path: "cart" },
      ],
    },
    { file: "routes/admin/layout.tsx", children: [{ file: "routes/admin/orders.tsx", path: "admin/orders" }] },
  ]);
  const layout = ["app/root.tsx", "app/routes/layout.tsx"];
  expect(Object.fromEntries(pages)).toEqual({
    "routes/layout": layout,
    home: [...layout, "app/routes/home.tsx"],
    "routes/cart": [...layout, "app/routes/cart.tsx"],
  });
});

it("a page uses what is imported at once, later, only on the server and in a circle", () => {
  const sources: Record<string, string> = {
    "app/home.tsx": `import { a } from "./ui/a.tsx"; import react from "react"; import type { Route } from "./+types/home.ts";`,
    "app/ui/a.tsx": `const load = () => import("../dialog.tsx"); import { shop } from "../../shop/pages.ts";`,
    "app/dialog.tsx": `export { b } from "./chart.server.tsx";`,
    "app/chart.server.tsx": `import "./home.tsx";`,
  };
  expect([...withImports(["app/home.tsx"], (file) => sources[file] ?? "")]).toEqual(Object.keys(sources));
});

it("a page does not use what is fetched for the next one", () => {
  expect(existsSync(AHEAD)).toBe(true);
  expect([...withImports([AHEAD], () => `import("./home/closing.tsx");`)]).toEqual([AHEAD]);
});

it.each([
  [".card>:first-child", ["card"]],
  [".prose.legal section+section", ["prose", "legal"]],
  ["html:not([data-at-rest]) .further-down", ["further-down"]],
  [".group-hover\\:mt-0\\.5:is(:where(.group):hover *)", ["group-hover:mt-0.5"]],
  [".grid-cols-\\[minmax\\(0\\,1fr\\)\\]", ["grid-cols-[minmax(0,1fr)]"]],
  [".\\32 xl\\:grid", ["2xl:grid"]],
  ["button:not(.button,[role=tab])", []],
])("%s selects nothing without its classes", (selector, classes) => {
  expect(classesOf(selector)).toEqual(classes);
});

it.each([
  [".flex{display:flex}.grid{display:grid}p{margin:0}", `<p className="flex">`, ".flex{display:flex}p{margin:0}"],
  [".a,.b{color:red}", `"b"`, ".b{color:red}"],
  ["@layer x{.a{color:red}}@media print{.a{color:red}}", "", "@layer x{}"],
  [".after\\:content-\\[\\'\\+\\'\\]:after{content:'+'}", `after:content-['+']`, undefined],
  ["@keyframes spin{to{rotate:1turn}}.spin{animation:spin 1s}", "spin", undefined],
  ["@keyframes spin{to{rotate:1turn}}.spin{animation:spin 1s}", "", ""],
  [":root{--a:var(--b);--b:1px;--c:2px}.a{margin:var(--a)}", "a", ":root{--a:var(--b);--b:1px}.a{margin:var(--a)}"],
  [":root{--c:2px}", `style={{ margin: "var(--c)" }}`, undefined],
  ["@property --x{syntax:'*';inherits:false}.a{--x:1;margin:var(--x)}", "", ""],
])("of %s a page that says %s has %s", (sheet, sources, used = sheet) => {
  expect(usedStyles(sheet, sources)).toBe(used);
});
