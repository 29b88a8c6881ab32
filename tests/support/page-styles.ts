/** Whether a page's own sheet has what the page uses. */
import { globSync, readFileSync } from "node:fs";
import type { Page } from "@playwright/test";

const allStyles = globSync("build/client/assets/styles-*.css")
  .map((file) => readFileSync(file, "utf8"))
  .join("");

const isIn = (sheet: string, selector: string) =>
  new RegExp(`${selector.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`).test(sheet);

/** What stands on the page as it is and is styled, though not by the sheet that its document came with. */
export async function missingStyles(page: Page): Promise<string[]> {
  const { own, used } = await page.evaluate(async () => {
    const sheet = document.querySelector<HTMLLinkElement>("link[data-precedence]")?.href ?? "";
    const classes = [...document.querySelectorAll("[class]")].flatMap(({ classList }) => [...classList]);
    return {
      own: await (await fetch(sheet)).text(),
      used: [...new Set(classes)].map((name) => `.${CSS.escape(name)}`),
    };
  });
  const styled = used.filter((selector) => isIn(allStyles, selector));
  if (styled.length === 0) throw new Error("Nothing on the page is styled.");
  return styled.filter((selector) => !isIn(own, selector)).map((selector) => `the page's sheet has no ${selector}`);
}
