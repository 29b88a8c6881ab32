/** docs/security.md says of each requirement of ASVS 5.0.0, level 1 and 2, whether it is met, and what proves it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contactPolicy } from "#shop/policies.ts";
import { findTest } from "./support/test-titles.ts";

/** Requirements of each level in the standard. */
const LEVELS = { 1: 70, 2: 183 };
/** Requirements of documentation or operation, which a section meets. */
const WRITTEN = 24;

const page = readFileSync("docs/security.md", "utf8");
const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) \| (\d) \| (\S+) \| (.*) \| (.*) \|$/gm)].map(
  ([, id = "", level = "", met = "", how = "", proof = ""]) => ({ id, level, met, how, proofs: proof.split("<br>") }),
);
const count = (met: string) => rows.filter((row) => row.met === met).length;

const sections = new Set([...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title));
/** The problem of a proof, or null. */
function problemOf(proof: string): string | null {
  if (proof.startsWith("§ ")) return sections.has(proof.slice(2)) ? null : `there is no section '${proof.slice(2)}'`;
  const found = findTest(/^`(.+)`$/.exec(proof)?.[1] ?? "");
  return "problem" in found ? found.problem : null;
}

describe("the table of security requirements", () => {
  it("has every requirement once", () => {
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const [level, amount] of Object.entries(LEVELS))
      expect(rows.filter((row) => row.level === level)).toHaveLength(amount);
  });

  it("says of each requirement what is so", () => {
    for (const { id, met, how } of rows) {
      expect(["yes", "partly", "no", "-"], id).toContain(met);
      expect(how, id).toMatch(/^[A-Z0-9`].*\.$/s);
    }
  });

  it.each(rows.map((row) => [row.id, row] as const))("%s names tests that exist", (_id, { met, proofs }) => {
    const isProven = met === "yes" || (met === "partly" && proofs[0] !== "-");
    expect(isProven ? proofs.map(problemOf).filter((problem) => problem !== null) : proofs).toEqual(
      isProven ? [] : ["-"],
    );
  });

  it("meets every requirement but those of documentation by tests", () => {
    const written = rows.filter(({ met, proofs }) => met === "yes" && proofs.every((proof) => proof.startsWith("§ ")));
    expect(written.length).toBeLessThanOrEqual(WRITTEN);
  });

  it("has the sums of its introduction", () => {
    const said = /(\d+) requirements, (\d+) apply: (\d+) are met, (\d+) partly, (\d+) not\./.exec(page);
    const applicable = rows.length - count("-");
    expect(said?.slice(1).map(Number)).toEqual([rows.length, applicable, count("yes"), count("partly"), count("no")]);
  });
});

it("SECURITY.md has the support email of the shop", () => {
  expect(readFileSync("SECURITY.md", "utf8")).toContain(contactPolicy.supportEmail);
});
