/** IBM's accessibility checker, which sees other faults than axe: `npm run circumstances` asks it about pages. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const CHECKER = readFileSync(createRequire(import.meta.url).resolve("accessibility-checker-engine/ace.js"), "utf8");

/** Rules that do not hold here, and why. */
const DISMISSED: Record<string, string> = {
  aria_attribute_allowed: "it does not know aria-description, of ARIA 1.3, which browsers and readers do",
  aria_form_label_unique: "a form without a name is no landmark",
  fieldset_label_valid: "the filters of the drawer, which is closed, are those of the sidebar",
  input_autocomplete_valid: "an email field may be the username",
  input_checkboxes_grouped: "radio buttons of one name are in two forms, and so two groups",
  label_content_exists: "a label without words enlarges a checkbox, which has a name of its own",
  text_contrast_sufficient: "it cannot see the picture under a text; axe asks for contrast",
};

/** Violations of WCAG 2.2 on the page with all that is folded opened. */
export async function runIbm(page: Page): Promise<string[]> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLIFrameElement>("iframe[srcdoc]")].every(({ contentDocument: shown }) =>
      shown ? shown.URL === "about:srcdoc" && shown.readyState === "complete" : true,
    ),
  );
  await page.evaluate(`${CHECKER}; globalThis.ace = ace`);
  const found = await page.evaluate(async () => {
    type Result = { ruleId: string; value: [string, string]; message: string; snippet: string };
    type Checker = { check(node: Document, guidelines: string[]): Promise<{ results: Result[] }> };
    const folded = [...document.querySelectorAll("details:not([open])")];
    for (const one of folded) one.toggleAttribute("open", true);
    const { ace } = globalThis as unknown as { ace: { Checker: new () => Checker } };
    const { results } = await new ace.Checker().check(document, ["WCAG_2_2"]);
    for (const one of folded) one.toggleAttribute("open", false);
    return results.filter(({ value }) => value.join() === "VIOLATION,FAIL");
  });
  return found.flatMap(({ ruleId, message, snippet }) =>
    ruleId in DISMISSED ? [] : [`${ruleId}: ${message} (${snippet.slice(0, 120)})`],
  );
}
