import { expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { addTag, listTags, MAX_TAGS, readNotes, removeTag, saveNote } from "./customer-note.server.ts";

const shop = useFreshDatabase(5);
const grace: Acting = { staffId: "b0b1b2b3-0000-4000-8000-000000000001", role: "support", address: "", requestId: "" };
const guest = { email: "Guest@Example.com", subject: "guest:g…@example.com" };

it("a note is found under any case of its email, and never replaces what a colleague wrote meanwhile", async () => {
  const save = (note: string, was: string) => saveNote(shop.db, grace, guest, { note, was });
  expect(await save("Likes calls.", "")).toEqual({ ok: true });
  expect(await save("Mine.", "")).toEqual({ ok: false, now: "Likes calls." });
  expect(await readNotes(shop.db, "guest@EXAMPLE.com")).toEqual({ note: "Likes calls.", tags: [] });
});

it("tags are added and removed each by itself, and audited without their words", async () => {
  const tag = (word: string) => addTag(shop.db, grace, guest, word);
  await Promise.all(["press", "VIP", "VIP"].map(tag));
  await tag("vip");
  expect((await readNotes(shop.db, guest.email)).tags, "capitals make no other tag").toEqual(["VIP", "press"]);
  expect(await listTags(shop.db)).toEqual(expect.arrayContaining(["VIP", "press"]));
  await removeTag(shop.db, grace, guest, "VIP");
  await removeTag(shop.db, grace, guest, "VIP");
  expect((await readNotes(shop.db, guest.email)).tags).toEqual(["press"]);
  const { rows } = await shop.pool.query("SELECT subject, before, after FROM audit_log WHERE action = 'customer.tags'");
  expect(rows).toEqual(Array(3).fill({ subject: guest.subject, before: null, after: null }));
  for (let i = 1; i < MAX_TAGS; i++) expect(await tag(`tag ${i}`)).toEqual({ ok: true });
  expect(await tag("one more")).toEqual({ ok: false });
  expect((await readNotes(shop.db, guest.email)).tags).toHaveLength(MAX_TAGS);
});
