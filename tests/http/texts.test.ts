/** Texts that staff publish. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unescapeHtml } from "../support/crawl.ts";
import { fieldsOf } from "../support/page-data.ts";
import type { StaffMember } from "../support/staff-member.ts";
import { useShop } from "../support/use-shop.ts";

const folder = mkdtempSync(join(tmpdir(), "polara-texts-"));
const { shop, database, staff } = useShop({ DATA_DIR: folder });
let manager: StaffMember;

beforeAll(async () => {
  manager = await staff("manager");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const editorOf = async (key: string, query = "") => (await manager.visitor.fetch(`/admin/texts/${key}${query}`)).text();

const fieldsIn = (html: string) => fieldsOf(html, "save");

/** Sends the editor without JavaScript, with these changes. */
async function save(key: string, changes: Record<string, string>, { html = "" } = {}) {
  const fields = { ...fieldsIn(html || (await editorOf(key))), do: "publish", ...changes };
  return manager.visitor.post(`/admin/texts/${key}?intent=save`, fields);
}

const read = async (path: string) => (await fetch(shop.url + path)).text();

/** The first within two seconds of `since`, and then everything else that shows the text. */
async function showsSoon(checks: [path: string, expected: string | RegExp][], since: number) {
  for (const [path, expected] of checks) {
    await expect.poll(() => read(path), { timeout: 10_000, interval: 50 }).toMatch(expected);
    if (path === checks[0]?.[0] && expected === checks[0][1]) expect(Date.now() - since).toBeLessThan(2_000);
  }
}

it("a page is live, in search and as Markdown, in less than two seconds", async () => {
  expect(await read("/about")).toContain("Good Food Deserves More Time");
  const answer = await save("pages-about", {
    heading: "We wait with your peaches",
    description: "Polara makes one bowl, and now says so in words of its staff.",
    markdown: "## Our quokka {#quokka}\n\nSend it back within {returnDays}. [Write](/support)",
  });
  const since = Date.now();
  expect(await answer.text()).toContain("Published.");
  await showsSoon(
    [
      ["/about", /We wait with your peaches[\s\S]*<h2 id="quokka">Our quokka<\/h2>/],
      ["/about", /"description":"Polara makes one bowl, and now says so/],
      ["/about.md", /Our quokka[\s\S]*within 30 days\. \[Write\]\(http:\/\/[^)]*\/support\)/],
      ["/llms.txt", "now says so in words of its staff"],
      ["/search.json?q=quokka", "/about"],
    ],
    since,
  );
  const audited = await database.pool.query("SELECT staff_id FROM audit_log WHERE subject = 'text:pages-about'");
  expect(audited.rows).toEqual([{ staff_id: manager.staffId }]);
});

it("an older version is opened and published again, and a text goes back to what was shipped", async () => {
  await save("pages-about", { heading: "Another one" });
  await expect.poll(() => read("/about")).toContain("Another one");
  await save("pages-about", {}, { html: await editorOf("pages-about", "?from=1") });
  await expect.poll(() => read("/about")).toContain("We wait with your peaches");
  const { version = "" } = fieldsIn(await editorOf("pages-about"));
  for (const from of ["1.5", "99999999999", "none"])
    expect(fieldsIn(await editorOf("pages-about", `?from=${from}`))).toMatchObject({ version });
  await manager.visitor.post("/admin/texts/pages-about?intent=withdraw", { version, sure: "on" });
  await expect.poll(() => read("/about")).toContain("Good Food Deserves More Time");
});

it("a draft is shown on its page to staff alone", async () => {
  const answer = await save("pages-about", { heading: "Not yet for everyone", do: "preview" });
  const path = answer.headers.get("Location") ?? "";
  expect(path).toMatch(/^\/about\?preview=pages-about\.\d+$/);
  const preview = await manager.visitor.fetch(path);
  expect(preview.headers.get("Cache-Control")).toContain("no-store");
  expect(await preview.text()).toMatch(/Preview of version \d+[\s\S]*Not yet for everyone/);
  expect(await read(path)).not.toContain("Not yet for everyone");
  const packer = await staff("packer");
  expect(await (await packer.visitor.fetch(path)).text()).not.toContain("Not yet for everyone");
  expect(await read("/about")).not.toContain("Not yet for everyone");
});

describe("a text is shown on its page while it is typed, and nothing is saved", () => {
  const preview = async (key: string, typed: Record<string, string>) => {
    const fields = { ...fieldsIn(await editorOf(key)), ...typed };
    const answer = await manager.visitor.post(`/admin/texts/${key}/preview?intent=preview`, fields);
    return (await answer.json()) as { problems: string[]; problem: string | null; samples?: { html: string }[] };
  };
  const count = async () => (await database.pool.query("SELECT FROM texts")).rowCount;

  it.each([
    ["home", { "hero-heading": "Typed peaches" }, /<h1[^>]*>Typed peaches/],
    ["legal-warranty", { markdown: "## Typed\n\nWithin {returnDays}." }, /Typed[\s\S]*Within 30 days\./],
    ["posts-typed", { title: "Typed", category: "Tips", markdown: "**Now**" }, /<h1[^>]*>Typed[\s\S]*<strong>Now/],
    ["faq", { markdown: "## Typed?\n\nYes." }, /Typed\?[\s\S]*Yes\./],
    ["notice", { text: "Typed notice" }, /Typed notice/],
    ["notice", { text: "" }, /The words of the notice/],
    ["emails-order-confirmation", { markdown: "_Typed_" }, /<em>Typed<\/em>/],
    ["emails-order-confirmation", { markdown: "Hi {firstName}, {orderNumber}" }, /<p>Hi Ada, [0-9a-z-]{8,}<\/p>/i],
  ])("%s %j", async (key, typed, shown) => {
    const before = await count();
    const { problems, samples = [] } = await preview(key, typed);
    expect(problems).toEqual([]);
    expect(samples[0]?.html).toMatch(shown);
    expect(samples[0]?.html).not.toMatch(/<script|Back to editing/);
    expect(await count()).toBe(before);
    if (key === "home") expect(await read("/")).not.toContain("Typed");
  });

  it.each([
    ["home", { "hero-heading": "" }, "Top of the page, Heading: This may not be empty"],
    ["posts-typed", { category: "Tips", description: "Short" }, "Description: At least 40 characters"],
  ])("%s %j cannot be shown", async (key, typed, problem) => {
    const { problems, samples } = await preview(key, typed);
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(samples).toBeUndefined();
  });

  it.each([
    ["pages-about", "Hi {frist name}", "Line 1 has {frist name}, which stands for nothing", "Hi {frist name}"],
    ["emails-verify-email", "Hi {firstName}", "Line 1 has {firstName}, which stands for nothing", "Hi {firstName}"],
    ["pages-about", "[x](javascript:alert(1))", "Line 1 has a link to “javascript:alert(1)”", "<a>x</a>"],
    ["pages-about", "<img src=x onerror=a()>", "Line 1 has HTML", "&lt;img src=x onerror=a()&gt;"],
  ])("%s %j is shown without what texts may not have", async (key, markdown, words, shown) => {
    const { problem, problems, samples = [] } = await preview(key, { markdown });
    expect(problems).toEqual([]);
    expect(problem).toContain(words);
    expect(samples[0]?.html).toContain(shown);
    expect(samples[0]?.html).not.toMatch(/javascript:|x\.example|<img src=x/);
  });
});

it("emails stand in the list by what they are about, with when each is sent", async () => {
  const html = await (await manager.visitor.fetch("/admin/texts")).text();
  const [, orders = ""] = html.split(">Emails about packages</h2>");
  expect(orders).toMatch(
    /^[\s\S]{0,2000}order-shipped"[^>]*>Order shipped<\/a><\/th><td[^>]*>When the first package of an order ships<\/td>/,
  );
  expect(html).not.toContain("Email: ");
  const found = await (await manager.visitor.fetch("/admin/texts?q=tracking+number")).text();
  expect(found).toContain("Tracking corrected");
  expect(found).not.toContain("Order shipped");
});

it("the second of two editors keeps the typed text, and decides", async () => {
  const opened = await editorOf("pages-support");
  await save("pages-support", { heading: "First" }, { html: opened });
  const refused = await save("pages-support", { heading: "Second" }, { html: opened });
  const html = await refused.text();
  expect(refused.status).toBe(409);
  expect(html).toMatch(/saved version 1 today at [^.]*\. Your text is still here\./);
  expect(fieldsIn(html)).toMatchObject({ heading: "Second", version: "0", over: "1" });
  const again = await manager.visitor.post("/admin/texts/pages-support?intent=save", {
    ...fieldsIn(html),
    isOver: "on",
    do: "publish",
  });
  expect(again.status).toBe(200);
  await expect.poll(() => read("/support")).toContain("Second");
});

describe("nothing is executed, and nothing typed is lost", () => {
  it.each([
    ["a script", "<script>alert(1)</script>", "Line 1 has HTML"],
    ["a million characters", "word ".repeat(200_000).trim(), "999,999 characters, and at most 100,000 fit"],
  ])("%s", async (_, markdown, words) => {
    const answer = await save("pages-how-it-works", { markdown });
    expect(answer.status).toBe(400);
    const html = await answer.text();
    expect(unescapeHtml(html)).toContain(words);
    expect(fieldsIn(html).markdown).toBe(markdown);
    const { rowCount } = await database.pool.query("SELECT FROM texts WHERE key = 'pages-how-it-works'");
    expect(rowCount).toBe(0);
  });
});

it("a post with a picture is written, scheduled, and then everywhere", async () => {
  const created = await manager.visitor.post("/admin/texts?intent=new-post", {
    title: "Nine Uses for a Zucchini’s End",
  });
  const address = created.headers.get("Location") ?? "";
  expect(address).toMatch(/^\/admin\/texts\/posts-nine-uses-for-a-zucchinis-end\?title=/);
  const html = await (await manager.visitor.fetch(address)).text();
  const picture = await sharp({ create: { width: 1300, height: 400, channels: 3, background: "#7b8467" } })
    .jpeg()
    .toBuffer();
  const send = (changes: Record<string, string>, file: Uint8Array = picture) => {
    const body = new FormData();
    const fields = {
      ...fieldsIn(html),
      category: "Tips",
      description: "The end of a zucchini is small, and it has more uses than one thinks.",
      pictureAlt: "A zucchini",
      "related-0": "travel-sleeve",
      markdown: "## Soup\n\nIt goes into the soup.",
      do: "publish",
      ...changes,
    };
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    body.append("pictures", new Blob([new Uint8Array(file)], { type: "image/jpeg" }), "end.jpg");
    const path = "/admin/texts/posts-nine-uses-for-a-zucchinis-end?intent=save";
    return manager.visitor.fetch(path, { method: "POST", body, headers: { Origin: shop.url, Accept: "text/html" } });
  };
  const slug = "/blog/nine-uses-for-a-zucchinis-end";
  // The text first: a picture takes seconds.
  const opened = { picture: "u-of-an-earlier-version" };
  const refused = await (await send({ description: "Too short", ...opened }, Buffer.from("no picture"))).text();
  expect(refused).toContain("At least 40 characters, for search results: 31 more");
  expect(refused).not.toContain("can’t read this picture");
  expect(refused).toContain("The picture was not saved. Select it again.");
  expect(fieldsIn(refused)).toMatchObject(opened);
  expect(await (await send({ publishAt: "2100-01-01T09:00" })).text()).toContain("Scheduled: shown on Jan 1");
  expect(await read("/blog")).not.toContain(slug);
  expect(await (await send({ version: "1", publishAt: "", date: "2099-12-30" })).text()).toContain("Published.");
  const since = Date.now();
  await showsSoon(
    [
      ["/blog", slug],
      ["/sitemap.xml", `${slug}</loc>`],
      [`${slug}.md`, "It goes into the soup."],
      [slug, /"@type":"BlogPosting","headline":"Nine Uses[^{]*"image":"[^"]*\/images\/u-[^"]*-og\.jpg"/],
      ["/search.json?q=zucchini", slug],
      ["/llms.txt", slug],
    ],
    since,
  );
  for (const title of ["Nine uses for a zucchini's end!", "A picnic by the clock"]) {
    const taken = await manager.visitor.post("/admin/texts?intent=new-post", { title });
    expect([taken.status, await taken.text()]).toEqual([
      409,
      expect.stringContaining("A post has this address already"),
    ]);
  }
  const [file] = /\/images\/u-[^" ]*-og\.jpg/.exec(await read(slug)) ?? [""];
  expect((await fetch(shop.url + file)).headers.get("Content-Type")).toBe("image/jpeg");

  const key = "posts-nine-uses-for-a-zucchinis-end";
  const down = await manager.visitor.post(`/admin/texts/${key}?intent=withdraw`, { version: "2", sure: "on" });
  const editor = await down.text();
  expect(editor).toContain("Withdrawn, version 2 is open");
  expect(fieldsIn(editor)).toMatchObject({
    version: "3",
    title: "Nine Uses for a Zucchini’s End",
    markdown: "## Soup\n\nIt goes into the soup.",
  });
  const link = new RegExp(`<a[^>]*href="/admin/texts/${key}"[^>]*>Nine Uses for a Zucchini’s End</a>`);
  expect(await (await manager.visitor.fetch("/admin/texts?q=zucchini")).text()).toMatch(link);
  expect(await (await manager.visitor.fetch("/admin/search?q=zucchini")).text()).toContain(`/admin/texts/${key}`);
});

it("a picture is uploaded for a text, with words for who cannot see it", async () => {
  const picture = await sharp({ create: { width: 1300, height: 400, channels: 3, background: "#7b8467" } })
    .png()
    .toBuffer();
  const upload = async (alt: string, file?: Uint8Array) => {
    const body = new FormData();
    body.append("alt", alt);
    if (file) body.append("pictures", new Blob([new Uint8Array(file)], { type: "image/png" }), "end.png");
    const headers = { Origin: shop.url, Accept: "text/html" };
    const path = "/admin/texts/pages-about?intent=picture";
    return unescapeHtml(await (await manager.visitor.fetch(path, { method: "POST", body, headers })).text());
  };
  const silent = await upload(" ", picture);
  for (const words of ["Say what the picture shows", "The picture was not saved. Select it again."])
    expect(silent).toContain(words);
  expect(await upload("A bowl")).toContain("Choose a picture");
  const answer = await upload("A [bowl]", picture);
  const [written = ""] = /!\[A \\\[bowl\\\]\]\(u-[^)]*\)/.exec(answer) ?? [];
  expect(written).not.toBe("");
  await save("pages-about", { markdown: `## Here\n\n${written}` });
  await expect.poll(() => read("/about")).toMatch(/<img[^>]*alt="A \[bowl\]"[^>]*src="\/images\/u-/);
});

it("an unfinished post is kept as a draft without a day, and refused to the store", async () => {
  const key = "posts-half-a-thought";
  const send = async (typed: Record<string, string>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...fieldsIn(await editorOf(key)), ...typed }))
      body.append(name, value);
    const headers = { Origin: shop.url, Accept: "text/html" };
    return manager.visitor.fetch(`/admin/texts/${key}?intent=save`, { method: "POST", body, headers });
  };
  expect(await (await send({ do: "draft", title: "Half a thought" })).text()).toContain("Saved as a draft, version 1.");
  expect(fieldsIn(await editorOf(key))).toMatchObject({ title: "Half a thought", date: "", version: "1" });
  for (const act of ["publish", "preview"]) expect((await send({ do: act, category: "Tips" })).status).toBe(400);
  expect((await manager.visitor.fetch(`/blog/half-a-thought?preview=${key}.1`)).status).toBe(200);
});

it("a draft leaves a schedule as it is, and a schedule can be canceled", async () => {
  const key = "emails-order-delivered";
  const post = async (intent: string, typed: Record<string, string>) =>
    (await manager.visitor.post(`/admin/texts/${key}?intent=${intent}`, typed)).text();
  const save = async (typed: Record<string, string>) => post("save", { ...fieldsIn(await editorOf(key)), ...typed });
  const planned = { do: "publish", markdown: "Enjoy it.", publishAt: "2100-01-01T09:00" };
  expect(await save(planned)).toContain("Scheduled: shown");
  expect(await save({ do: "draft" })).toContain("Version 1 is the same, and stays scheduled.");
  expect(await save({ do: "draft", markdown: "Enjoy it!" })).toContain("version 2. Version 1 stays scheduled.");
  expect(await post("withdraw", { version: "2", sure: "on" })).toContain("The schedule is canceled.");
  expect(await editorOf(key)).not.toContain("Scheduled");
});

it("home, the questions of products and the notice bar follow", async () => {
  await save("home", { "hero-heading": "Peaches until Friday." });
  await save("faq", { markdown: "## Is it heavy?\n\nAs a full kettle." });
  await save("notice", { text: "Closed on Thanksgiving", to: "/support", label: "Ask us" });
  await expect
    .poll(() => read("/"))
    .toMatch(/Closed on Thanksgiving[\s\S]*Ask us[\s\S]*<h1[^>]*>Peaches until Friday\.<\/h1>/);
  await expect.poll(() => read("/product/polara-pro-earth-green")).toMatch(/Is it heavy\?[\s\S]*As a full kettle/);
  await expect.poll(() => read("/product/polara-pro-earth-green.md")).toContain("### Is it heavy?");
  await expect.poll(() => read("/search.json?q=kettle")).toContain("Is it heavy?");
  expect(await read("/cart")).toContain("Closed on Thanksgiving");
});

it("a notice that is over is refused, and one that has ended is not called live", async () => {
  const refused = await save("notice", { text: "Closed", until: "2020-01-01T12:00" });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("no one would see it")]);
  await save("notice", { text: "Closed", until: "2099-01-01T12:00" });
  await database.pool.query(
    `INSERT INTO texts (key, version, markdown, fields, publish_at, staff_id)
     SELECT key, version + 1, markdown, fields || '{"until": "2020-01-01T12:00"}', publish_at, staff_id
     FROM texts WHERE key = 'notice' ORDER BY version DESC LIMIT 1`,
  );
  await expect
    .poll(async () => (await manager.visitor.fetch("/admin/texts?q=notice")).text())
    .toMatch(/Notice bar<[\s\S]*>Ended</);
  expect(await read("/cart")).not.toContain("Closed");
});

it("a legal text takes effect on its day, stays at its address, and orders keep the one in force", async () => {
  const answer = await save("legal-terms", {
    effectiveOn: "2100-01-01",
    isAnnounced: "on",
    markdown: "## Acceptance {#acceptance}\n\nYou agree twice.",
  });
  expect(await answer.text()).toContain("Scheduled");
  await expect.poll(() => read("/warranty")).toContain("a new version takes effect on January 1, 2100");
  expect(await read("/terms")).not.toContain("You agree twice");
  expect(await read("/terms/2100-01-01")).toContain("You agree twice");
  expect(await read("/terms/2025-01-01")).toContain("Effective date: January 1, 2025");
  await save("legal-terms", { replaces: "on", effectiveOn: "2100-02-01", isAnnounced: "on" });
  await expect.poll(() => read("/warranty")).toContain("a new version takes effect on February 1, 2100");
  expect(await read("/terms/2100-02-01")).toContain("You agree twice");
  expect(await read("/warranty")).not.toContain("January 1, 2100");
  // Emails that were sent before it was moved link to its earlier day.
  const moved = await fetch(`${shop.url}/terms/2100-01-01`, { redirect: "manual" });
  expect([moved.status, moved.headers.get("Location")]).toEqual([302, "/terms"]);
  expect(await read("/terms")).toContain('href="/terms/2100-02-01"');
  for (const path of [
    "/terms/2024-01-01",
    "/terms/today",
    "/terms/2100-02-31",
    "/terms/0000-01-01",
    "/about/2025-01-01",
  ]) {
    expect((await fetch(shop.url + path)).status, path).toBe(404);
  }
});

it("a version of a legal text is announced by email to everyone once, after a preview", async () => {
  await save("legal-warranty", { effectiveOn: "2100-01-01", markdown: "## Parcels {#parcels}\n\nKeep the box." });
  const { count } = (
    await database.pool.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM users WHERE email_verified AND lower(email) NOT IN (SELECT lower(email) FROM orders)",
    )
  ).rows[0]!;
  const announce = (fields: Record<string, string>) =>
    manager.visitor.post("/admin/texts/legal-warranty?intent=announce", {
      version: "1",
      formId: "announce",
      ...fields,
    });
  const summary = "We now ask for the box.";
  expect((await announce({ do: "send", summary: "" })).status).toBe(400);
  const preview = unescapeHtml(await (await announce({ do: "preview", summary })).text());
  expect(preview).toContain(`Email ${count} customer`);
  expect(preview).toMatch(/takes effect on January 1, 2100\.[^]*We now ask for the box\.[^]*\/warranty\/2100-01-01/);
  expect(preview).toMatch(/<textarea[^>]*name="summary"[^>]*>\n?We now ask for the box\.<\/textarea>/);
  expect((await database.pool.query("SELECT FROM notices")).rowCount).toBe(0);
  expect((await announce({ do: "send", summary })).status).toBe(200);
  expect((await announce({ do: "send", summary: "Something else." })).status).toBe(409);
  const sent = await database.pool.query(
    "SELECT FROM notices JOIN notice_recipients ON notice_id = notices.id WHERE body LIKE '%' || $1 || '%'",
    [summary],
  );
  expect(sent.rowCount).toBe(count);
  expect(await editorOf("legal-warranty")).toMatch(/Version (?:<!-- -->)?1(?:<!-- -->)? was announced/);
  const audited = await database.pool.query(
    "SELECT staff_id, after FROM audit_log WHERE action = 'notice.send' AND subject = 'notice:legal-warranty-version-1'",
  );
  expect(audited.rows).toEqual([{ staff_id: manager.staffId, after: { added: count } }]);
});

it("the list of texts is filtered by kind and by words", async () => {
  const listed = async (query: string) => {
    const html = await (await manager.visitor.fetch(`/admin/texts?${query}`)).text();
    return [...html.matchAll(/href="\/admin\/texts\/([^"]+)"/g)].map(([, key]) => key);
  };
  expect(await listed("kind=Legal+texts&q=policy")).toEqual(["legal-privacy"]);
  expect(await listed("q=WARRANTY+legal-or-not")).toEqual([]);
  expect(await listed("kind=Home+and+notice+bar")).toEqual(["notice", "home"]);
});

it("the audit log names texts as the list does", async () => {
  const { visitor } = await staff("owner");
  const html = await (await visitor.fetch("/admin/audit?kind=text")).text();
  expect(html).toMatch(/>the text “Notice bar”<\/a>/);
  expect(html).toMatch(/>the text “Terms of Service”<\/a>/);
  expect(html).not.toContain("the text “legal-");
});
