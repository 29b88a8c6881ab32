import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { contentSecurityPolicy } from "./content-security-policy.ts";

const MARK = "0123456789abcdef0123456789abcdef";
const ours = (code: string) => `<script nonce="${MARK}">${code}</script>`;
const hash = (code: string) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`;
const allowed = (html: string) =>
  /script-src 'self'([^;]*)/
    .exec(contentSecurityPolicy(html, MARK, "/").policy)?.[1]
    ?.trim()
    .split(" ")
    .filter(Boolean);

describe("the scripts that are allowed", () => {
  it("are those with the mark, anywhere in the tag", () => {
    const module = `<script type="module" nonce="${MARK}" async="">import "/a.js";</script>`;
    expect(allowed(`<body>${ours("one()")}<p>text</p>${module}${ours("one()")}</body>`)).toEqual([
      hash("one()"),
      hash('import "/a.js";'),
    ]);
  });

  it.each([
    ["without a mark", "<script>alert(1)</script>"],
    ["with another mark", '<script nonce="00000000000000000000000000000000">alert(1)</script>'],
    ["with the beginning of a mark", `<script nonce="${MARK.slice(1)}">alert(1)</script>`],
    ["with the word in its text", "<script>alert(1)/* nonce= */</script>"],
    ["that is data", '<script type="application/ld+json">alert(1)</script>'],
    ["that is nothing", ours("")],
    ["that is a file", `<script nonce="${MARK}" src="/a.js"></script>`],
    ["that is a link", `<link rel="modulepreload" href="/a.js" nonce="${MARK}"/>`],
  ])("are not one %s", (_name, injected) => {
    expect(allowed(injected)).toEqual([]);
    expect(allowed(ours("one()") + injected + ours("two()"))).toEqual([hash("one()"), hash("two()")]);
  });

  it("are not one that encloses ours, nor text before ours", () => {
    expect(allowed(`<script>alert(1)//${ours("one()")}`)).toEqual([hash("one()")]);
    expect(allowed(`<script>alert(1)</script>${ours("one()")}`)).toEqual([hash("one()")]);
    expect(allowed(`<!--<script>${ours("one()")}`)).toEqual([hash("one()")]);
  });

  it("may have non-Latin letters", () => {
    expect(allowed(ours('say("Grüße → 漢字")'))).toEqual([hash('say("Grüße → 漢字")')]);
  });
});

it("the mark is removed from every answer", () => {
  const { html, policy } = contentSecurityPolicy(
    `<link rel="preload" nonce="${MARK}"/>${ours("one()")}<p>nonce="${MARK.slice(1)}"</p>`,
    MARK,
    "/",
  );
  expect(html).toBe(`<link rel="preload"/><script>one()</script><p>nonce="${MARK.slice(1)}"</p>`);
  expect(policy).not.toContain(MARK);
});
