import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Acting } from "#shop/audit/audit.server.ts";
import { clock, setClockOffset } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { dayText } from "#shop/policy-text.ts";
import { listSettings, loadSettings, policyWords, saveSettings, settings } from "#shop/settings/settings.server.ts";
import { listDays, listVersions, publication, saveText, versionOfDay } from "./edit-text.server.ts";
import { currentNotices } from "./notices.server.ts";
import { loadTexts, nextPublication, withPreview } from "./published.server.ts";
import { firstText } from "./text-form.server.ts";
import { findPost, pages, plainTextAt, posts, questionsOfBowls } from "./texts.server.ts";

const shop = useFreshDatabase(12);
let by: Acting;
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  const { rows } = await shop.pool.query<{ id: string }>(
    "INSERT INTO users (email, email_verified, name, first_name) VALUES ('ada@example.com', true, 'Ada', 'Ada') RETURNING id",
  );
  by = { staffId: rows[0]!.id, role: "manager", address: "192.0.2.1", requestId: null };
});

const later = (ms: number) => new Date(clock.now().getTime() + ms);

/** Saves on top of `version` and reads what is published, as every process does. */
async function save(key: string, version: number, more: Partial<Parameters<typeof saveText>[2]> = {}) {
  const { fields, markdown } = firstText(key)!;
  const result = await saveText(shop.db, by, { key, version, fields, markdown, publishAt: clock.now(), ...more });
  await loadTexts(shop.db);
  return result;
}

const audit = async (key: string) =>
  (
    await shop.pool.query("SELECT action, staff_id, after FROM audit_log WHERE subject = $1 ORDER BY id", [
      `text:${key}`,
    ])
  ).rows;

describe("a page", () => {
  const heading = () => pages().about.front.heading;
  const first = firstText("pages-about")!.fields.heading;
  const titled = (words: string) => ({ fields: { ...firstText("pages-about")!.fields, heading: words } });

  it("is the edition of the code until a version is published, and again after it is withdrawn", async () => {
    expect(await save("pages-about", 0, { ...titled("A draft"), publishAt: null })).toEqual({ ok: true, version: 1 });
    expect(heading()).toBe(first);
    await save("pages-about", 1, titled("Within {returnDays}"));
    expect(heading()).toMatch(/^Within \d+ days$/);
    await save("pages-about", 2, { ...titled("Scheduled"), publishAt: later(HOUR_MS) });
    expect(heading()).toMatch(/^Within/);
    expect(nextPublication()).toEqual(expect.any(Date));
    setClockOffset(2 * HOUR_MS);
    expect(heading()).toBe("Scheduled");
    setClockOffset(0);
    // Undo: an older version, published again.
    await save("pages-about", 3, titled("Within {returnDays}"));
    setClockOffset(2 * HOUR_MS);
    expect(heading()).toMatch(/^Within/);
    setClockOffset(0);
    await save("pages-about", 4, { markdown: null, fields: {} });
    expect(heading()).toBe(first);
    expect((await audit("pages-about")).map(({ action }) => action)).toEqual([
      "text.draft",
      "text.publish",
      "text.schedule",
      "text.publish",
      "text.withdraw",
    ]);
    expect((await audit("pages-about")).every(({ staff_id }) => staff_id === by.staffId)).toBe(true);
  });

  it("shows a version only to the request that previews it", async () => {
    await save("pages-about", 5, { ...titled("Only for me"), publishAt: null });
    const { rows } = await shop.pool.query("SELECT version FROM texts WHERE key = 'pages-about' ORDER BY version DESC");
    const { fields, markdown } = { ...firstText("pages-about")!, ...titled("Only for me") };
    const version = {
      key: "pages-about",
      version: rows[0].version,
      fields,
      markdown,
      publishAt: null,
      effectiveOn: null,
      replaces: null,
      staffId: by.staffId,
      createdAt: clock.now(),
    };
    await withPreview(version, async () => {
      await Promise.resolve();
      expect(heading()).toBe("Only for me");
      expect(currentNotices()).toEqual([
        { text: "Preview of version 6", to: "/admin/texts/pages-about", label: "Back to editing" },
      ]);
    });
    expect(heading()).toBe(first);
  });

  it("that is scheduled anew is shown at its new time only", async () => {
    await save("pages-about", 6, { ...titled("Moved"), publishAt: later(HOUR_MS) });
    await save("pages-about", 7, { ...titled("Moved"), publishAt: later(3 * HOUR_MS), replaces: 7 });
    for (const [hours, words] of [
      [2, first],
      [4, "Moved"],
    ] as const) {
      setClockOffset(hours * HOUR_MS);
      await loadTexts(shop.db);
      expect(heading()).toBe(words);
    }
    // A version that has been shown is not taken back.
    await save("pages-about", 8, { ...titled("Later"), publishAt: later(HOUR_MS), replaces: 8 });
    expect(heading()).toBe("Moved");
    setClockOffset(0);
  });
});

it("two editors never overwrite each other", async () => {
  await save("pages-support", 0);
  const tried = await Promise.all(
    Array.from({ length: 10 }, () =>
      saveText(shop.db, by, { key: "pages-support", version: 1, fields: {}, markdown: "## Q\n\nA", publishAt: null }),
    ),
  );
  expect(tried.filter(({ ok }) => ok)).toEqual([{ ok: true, version: 2 }]);
  expect(tried.find(({ ok }) => !ok)).toMatchObject({ reason: "changed", version: 2, by: "Ada" });
  expect(await listVersions(shop.db, "pages-support")).toHaveLength(2);
  expect(await audit("pages-support")).toHaveLength(2);
});

it("rows never change", async () => {
  await expect(shop.pool.query("UPDATE texts SET markdown = 'other'")).rejects.toThrow("append-only");
  await expect(shop.pool.query("DELETE FROM texts")).rejects.toThrow("append-only");
});

it("every process is told of what is published, and of no draft", async () => {
  const client = await shop.pool.connect();
  const heard: string[] = [];
  client.on("notification", ({ payload = "" }) => heard.push(payload));
  await client.query("LISTEN catalog");
  await save("pages-how-it-works", 0, { publishAt: null });
  await save("pages-how-it-works", 1);
  await vi.waitFor(() => expect(heard).toEqual(["texts"]));
  client.release(true);
});

it("a post comes at its time, leads the blog, and is gone once withdrawn", async () => {
  const fields = {
    ...firstText("posts-evening")!.fields,
    title: "A fine evening",
    description: "What the kitchen looks like once the dishes are done, and why.",
    date: newYorkDay(later(24 * HOUR_MS)),
    picture: "lifestyle-week",
    pictureAlt: "A kitchen",
  };
  const before = posts().length;
  await save("posts-evening", 0, { fields, markdown: "Good night.", publishAt: later(24 * HOUR_MS) });
  expect(posts()).toHaveLength(before);
  expect(findPost("evening").slug).not.toBe("evening");
  setClockOffset(25 * HOUR_MS);
  expect(posts()[0]).toMatchObject({ slug: "evening", front: { title: "A fine evening", related: [] } });
  setClockOffset(0);
  await save("posts-evening", 1, { fields: {}, markdown: null });
  setClockOffset(25 * HOUR_MS);
  expect(posts()).toHaveLength(before);
  setClockOffset(0);
});

it("questions of product pages are headings and their answers", async () => {
  await save("faq", 0, { markdown: "## Is it loud?\n\nNo, **not** in {filterMonths}." });
  expect(questionsOfBowls()).toEqual([
    { question: "Is it loud?", answer: expect.stringMatching(/^No, not in 6 months\.$/) },
  ]);
  await save("faq", 1, { markdown: null });
});

it("a notice is shown until its end", async () => {
  const until = later(HOUR_MS).toLocaleString("sv-SE", { timeZone: "America/New_York" }).slice(0, 16).replace(" ", "T");
  await save("notice", 0, { fields: { text: "Closed on Thursday", to: "/support", label: "", until }, markdown: "" });
  expect(currentNotices()).toEqual([{ text: "Closed on Thursday", to: "/support", label: "Learn more" }]);
  setClockOffset(2 * HOUR_MS);
  expect(currentNotices()).toEqual([]);
  setClockOffset(0);
  await save("notice", 1, { fields: {}, markdown: null });
  expect(currentNotices()).toEqual([]);
});

describe("a legal text", () => {
  const { fields } = firstText("legal-terms")!;
  const day = newYorkDay(later(40 * 24 * HOUR_MS));
  const terms = { fields: { ...fields, isAnnounced: "on" }, markdown: "## Acceptance {#acceptance}\n\nYou agree." };

  it("takes effect at midnight in New York, is announced until then, and keeps every version at its day", async () => {
    const today = newYorkDay(clock.now());
    const { updated } = plainTextAt("/terms").front;
    await save("legal-terms", 0, { ...terms, ...publication({ at: "", effectiveOn: day })! });
    expect(plainTextAt("/terms").front.updated).toBe(updated);
    expect(currentNotices()).toEqual([
      {
        text: expect.stringContaining("Terms of Service: a new version takes effect on"),
        to: `/terms/${day}`,
        label: "Read it",
      },
    ]);
    setClockOffset(41 * 24 * HOUR_MS);
    expect(plainTextAt("/terms").front).toMatchObject({ updated: day });
    expect(currentNotices()).toEqual([]);
    setClockOffset(0);
    expect(await versionOfDay(shop.db, "legal-terms", day)).toMatchObject({ version: 1 });
    await save("legal-terms", 1, { ...terms, ...publication({ at: "", effectiveOn: today })! });
    expect(plainTextAt("/terms").front.updated).toBe(today);
  });

  it("is never replaced under a day that orders may name", async () => {
    const today = publication({ at: "", effectiveOn: newYorkDay(clock.now()) })!;
    expect(await save("legal-terms", 2, { ...terms, ...today })).toEqual({ ok: false, reason: "day-taken" });
    expect(await save("legal-terms", 2, { ...terms, publishAt: null })).toEqual({ ok: true, version: 3 });
  });

  it("that is moved or replaced before its day never has that day, and each coming one is announced", async () => {
    const key = "legal-privacy";
    const dayAfter = (days: number) => newYorkDay(later(days * 24 * HOUR_MS));
    const publish = (version: number, days: number, replaces = 0) =>
      save(key, version, { ...terms, replaces, ...publication({ at: "", effectiveOn: dayAfter(days) })! });
    const announced = () => currentNotices().flatMap(({ to }) => (to?.startsWith("/privacy") ? [to] : []));
    await publish(0, 40);
    await publish(1, 50, 1);
    await publish(2, 60);
    expect(await listDays(shop.db, key)).toEqual([dayAfter(60), dayAfter(50)]);
    expect(await versionOfDay(shop.db, key, dayAfter(40))).toBeNull();
    expect(announced()).toEqual([`/privacy/${dayAfter(50)}`, `/privacy/${dayAfter(60)}`]);
    setClockOffset(51 * 24 * HOUR_MS);
    expect(announced()).toEqual([`/privacy/${dayAfter(60 - 51)}`]);
    setClockOffset(0);
    await publish(3, 0);
    expect(await listDays(shop.db, key)).toEqual([dayAfter(0)]);
    expect(announced()).toEqual([]);
    expect((await listVersions(shop.db, key)).map(({ isReplaced }) => isReplaced)).toEqual([false, true, true, true]);
    // One that is replaced stays so, also if the newer one is moved.
    await publish(4, 20);
    await publish(5, 10);
    await publish(6, 30, 6);
    expect(announced()).toEqual([`/privacy/${dayAfter(30)}`]);
    expect(await listDays(shop.db, key)).toEqual([dayAfter(30), dayAfter(0)]);
  });
});

it("a legal text is as new as the last change of a number that it says", async () => {
  const today = newYorkDay(clock.now());
  const first = plainTextAt("/warranty").front;
  const dates = () => plainTextAt("/warranty").front.dates;
  const change = async (section: "returns" | "limits", value: object) => {
    const seen = (await listSettings(shop.db)).states[section];
    const now = settings()[section];
    await saveSettings(shop.db, by, { section, value: { ...now, ...value }, effectiveOn: today, state: seen });
    await loadSettings(shop.db);
  };
  await change("limits", { maxUnpaidOrders: 3 });
  expect(dates()).toEqual(first.dates);
  await change("returns", { returnDays: 45 });
  expect(dates()).toEqual([first.dates[0], `Last updated: ${dayText(today)}`]);
  expect(plainTextAt("/warranty").front).toMatchObject({ updated: first.updated, lastUpdated: today });
  expect(policyWords().returnDays).toBe("45 days");
});

it.each([
  ["", null, true],
  ["2020-01-01T09:00", null, false],
  ["tomorrow", null, false],
  ["2100-01-01T09:00", null, true],
  ["", "2020-01-01", false],
  ["", "2100-01-01", true],
])("a publication at “%s” from day %s is possible: %s", (at, effectiveOn, isPossible) => {
  expect(publication({ at, effectiveOn }) !== null).toBe(isPossible);
});
