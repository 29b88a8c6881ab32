import type { MDXContent } from "mdx/types.js";
import { expect, it } from "vitest";
import { escapeMarkdown, markdownOf, markdownTable } from "./text-forms.ts";

const h = (type: unknown, props: object | null, ...children: unknown[]) => ({ type, props: { ...props, children } });
const text = (...children: unknown[]) => (() => h("div", null, ...children)) as unknown as MDXContent;
const page = "https://shop.example/warranty";

it.each([
  [h("p", null, "Two ", h("strong", null, "bold"), " and ", h("em", null, "soft"), "."), "Two **bold** and _soft_."],
  [h("p", null, "See ", h("a", { href: "#claim" }, "below"), "."), `See [below](${page}#claim).`],
  [h("p", null, h("a", { href: "/support" }, "Write")), "[Write](https://shop.example/support)"],
  [h("p", null, h("a", { href: "https://other.example/" }, "Else")), "[Else](https://other.example/)"],
  [h("h2", null, "Refunds"), "## Refunds"],
  [h("p", null, h("img", { src: "blog-cold", alt: "Ice" })), ""],
  [h("ul", null, "\n", h("li", null, "a"), "\n", h("li", null, "b")), "- a\n- b"],
  [h("ol", null, h("li", null, "a"), h("li", null, "b")), "1. a\n2. b"],
  [h("p", null, "Kind regards,", h("br", null), "The team"), "Kind regards,\nThe team"],
  [
    h("ul", null, h("li", null, "a ", h("em", null, "b"), "\n", h("ul", null, h("li", null, "c"), h("li", null, "d")))),
    "- a _b_\n  - c\n  - d",
  ],
  [h("ol", null, h("li", null, h("p", null, "a"), h("p", null, "b")), h("li", null, "c")), "1. a\n   b\n2. c"],
  [h("Section", { title: "Claims" }, h("p", null, "Text")), "## 1. Claims\n\nText"],
  [
    h("FactTable", { caption: "Cold", head: ["A", "B"], rows: [["x|y", "1"]] }),
    "**Cold**\n\n| A | B |\n| --- | --- |\n| x\\|y | 1 |",
  ],
  [h(() => h("p", null, "made"), null), "made"],
])("%#: an element as Markdown", (element, expected) => {
  expect(markdownOf(text(element), page)).toBe(expected);
});

it("typed characters are escaped", () => {
  expect(escapeMarkdown("*a* _b_ [c](d) <e> `f` \\\n g")).toBe("\\*a\\* \\_b\\_ \\[c\\](d) \\<e> \\`f\\` \\\\ g");
  expect(markdownTable(["A"], [["1 | 2"]])).toBe("| A |\n| --- |\n| 1 \\| 2 |");
});
