/**
 * docs/promises.md is made from tests/support/promises.ts: what the legal texts and the answers of the support page
 * promise, who keeps it, and the test that proves it. `npx vitest promises -u` writes it again.
 */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { PolicyWords } from "#shop/policy-text.ts";
import { policyWords } from "#shop/settings/settings.server.ts";
import { PEOPLE, PROMISES, type Kept } from "./support/promises.ts";
import { adminPages, pages } from "./support/site-map.ts";
import { findTest } from "./support/test-titles.ts";

const TEXTS = { privacy: "legal/privacy", terms: "legal/terms", warranty: "legal/warranty", support: "pages/support" };

type Section = { key: string; title: string; words: string };

const sections: Section[] = Object.entries(TEXTS).flatMap(([text, file]) => {
  const source = readFileSync(`shop/content/${file}.mdx`, "utf8");
  const found = source.matchAll(/<(Section|Question) id="([^"]+)" title=(?:"([^"]+)"|\{`([^`]+)`\})>([\s\S]*?)<\/\1>/g);
  return [...found].map(([, , id, title, computed, words = ""]) => ({
    key: `${text}#${id}`,
    title: title ?? computed?.replace("${", "{") ?? "",
    words,
  }));
});

const rows = Object.entries(PROMISES).flatMap(([key, kept]) =>
  typeof kept === "string" ? [] : kept.map(([sentence, by, test]) => ({ key, sentence, by, test })),
);

/** The file of a keeper, "file.ts name", and whether it exports the name. */
function problemOf(by: string): string | null {
  if (by.startsWith("/")) return [...pages, ...adminPages].some(({ path }) => path === by) ? null : `no page ${by}`;
  const [file = "", name] = by.split(" ");
  if (!existsSync(file)) return `no file ${file}`;
  const isThere =
    !name || new RegExp(`^export (async )?(function|const) ${name}\\b`, "m").test(readFileSync(file, "utf8"));
  return isThere ? null : `${file} exports no ${name}`;
}

const isByPeople = ({ by }: { by: string }) => by === PEOPLE;

describe("the promises", () => {
  it("are told of every section of the texts, or that it makes none", () => {
    expect(sections.length).toBeGreaterThan(50);
    expect(Object.keys(PROMISES)).toEqual(sections.map(({ key }) => key));
    for (const [key, kept] of Object.entries(PROMISES)) expect(kept.length, key).toBeGreaterThan(0);
  });

  it.each(rows)("$key: $sentence", ({ key, sentence, by, test }) => {
    expect(sections.find((section) => section.key === key)?.words).toContain(sentence);
    if (by === PEOPLE) {
      const [, duties = ""] = readFileSync("docs/operations.md", "utf8").split("\n## Promises that people keep\n");
      expect(duties.split("\n## ")[0]).toContain(`- ${test}`);
      return;
    }
    expect(problemOf(by)).toBeNull();
    expect(findTest(test)).toHaveProperty("file");
  });
});

/** Words of a text, with the policies' numbers and without links. */
const shown = (words: string) =>
  words
    .replaceAll(/\$?\{policyWords\(\)\.(\w+)\}/g, (_, name: keyof PolicyWords) => policyWords()[name])
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll("|", "\\|");

const keeper = (by: string) => {
  if (by === PEOPLE) return "[people](operations.md#promises-that-people-keep)";
  if (by.startsWith("/")) return by;
  const [file = "", name] = by.split(" ");
  return `[${name ?? file.split("/").at(-1)}](../${file})`;
};

const TITLES: Record<keyof typeof TEXTS, string> = {
  privacy: "Privacy Policy",
  terms: "Terms of Service",
  warranty: "Warranty and Returns",
  support: "Support",
};

function chapter([text, title]: [string, string]): string {
  const parts = sections
    .filter(({ key }) => key.startsWith(`${text}#`))
    .map((section) => {
      const kept: Kept[] | string = PROMISES[section.key] ?? "";
      const head = `### ${shown(section.title)}\n\n`;
      if (typeof kept === "string") return `${head}Promises nothing. ${kept}\n`;
      const lines = kept.map(([sentence, by, test]) => `| ${shown(sentence)} | ${keeper(by)} | ${test} |`);
      return `${head}| promise | kept by | proof |\n|---|---|---|\n${lines.join("\n")}\n`;
    });
  return `## ${title}\n\n${parts.join("\n")}`;
}

it("docs/promises.md is this table", async () => {
  const people = rows.filter(isByPeople).length;
  const count = `${rows.length} promises: ${rows.length - people} are kept by the shop and proven by a test, ${people} by people.`;
  const head = `# Promises\n\n${count}\n\nMade by [promises.test.ts](../tests/promises.test.ts) from [promises.ts](../tests/support/promises.ts), which it checks against the texts:\n\`npx vitest promises -u\` writes it again.\n`;
  const markdown = [head, ...Object.entries(TITLES).map(chapter)].join("\n");
  await expect(markdown).toMatchFileSnapshot("../docs/promises.md");
});
