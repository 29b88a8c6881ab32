import { eq, sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { mailboxOutbox } from "#tests/support/outbox.ts";
import { uncounted } from "#tests/support/mail-permit.ts";
import { supportEmail } from "#shop/contact-addresses.server.ts";
import { listMailbox } from "#shop/mail/mailbox.server.ts";
import { startOutbox } from "#shop/mail/outbox.server.ts";
import { sendMessage } from "./contact.server.ts";
import { contactMessages } from "./contact.tables.ts";

const shop = useFreshDatabase();
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const mail = (email: string, message = "Does it fit a <melon>?\nThank you.") => ({
  name: "Ada Lovelace",
  email,
  message,
});
const send = (message: ReturnType<typeof mail>) => sendMessage(shop.db, uncounted, message, "192.0.2.1");
const stored = (email: string) => shop.db.select().from(contactMessages).where(eq(contactMessages.email, email));
const queued = async () =>
  (
    await shop.db.execute<{ template: string }>(
      sql`SELECT data ->> 'template' AS template FROM pgboss.job WHERE name = 'mail' ORDER BY 1`,
    )
  ).rows.map((row) => row.template);

describe("a message to support", () => {
  it("is stored and emailed to support and its sender", async () => {
    expect(await send(mail("ada@example.com"))).toEqual({ ok: true });
    expect(await stored("ada@example.com")).toMatchObject([mail("ada@example.com")]);
    expect(await queued()).toEqual(["contact-message", "contact-receipt"]);

    const outbox = await startOutbox(shop.db, shop.url, mailboxOutbox);
    stops.push(outbox.stop);
    await expect.poll(async () => (await listMailbox(shop.db)).length).toBe(2);
    const mails = await listMailbox(shop.db);
    const toSupport = mails.find((mail) => mail.to === supportEmail());
    expect(toSupport).toMatchObject({
      subject: "Message from Ada Lovelace",
      text: expect.stringContaining("ada@example.com"),
    });
    expect(toSupport?.html).toContain("Does it fit a &lt;melon&gt;?<br/>Thank you.");
    const toSender = mails.find((mail) => mail.to === "ada@example.com");
    expect(toSender?.subject).toBe("We have your message");
    expect(`${toSender?.text}${toSender?.html}`).not.toMatch(/melon|Lovelace/);
  });

  it("sent twice is one message", async () => {
    const before = (await queued()).length;
    for (let i = 0; i < 3; i++) expect(await send(mail("twice@example.com"))).toEqual({ ok: true });
    expect(await stored("twice@example.com")).toHaveLength(1);
    expect(await queued()).toHaveLength(before + 2);
  });

  it("is limited to five an hour for one email in any case", async () => {
    for (let i = 0; i < 5; i++) expect(await send(mail("many@example.com", `Number ${i}`))).toEqual({ ok: true });
    const before = (await queued()).length;
    expect(await send(mail("MANY@example.com", "One more"))).toEqual({
      ok: false,
      reason: "too-many",
    });
    expect(await queued()).toHaveLength(before);
    await shop.db.execute(sql`UPDATE contact_messages SET created_at = created_at - interval '61 minutes'`);
    expect(await send(mail("many@example.com", "One more"))).toEqual({ ok: true });
  });
});
