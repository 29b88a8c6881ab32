import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "#db/connection.server.ts";
import { supportEmail } from "#shop/contact-addresses.server.ts";
import { replyAddress } from "#shop/mail/reply-address.server.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { anyPermit, uncounted } from "#tests/support/mail-permit.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { makeOrder, someEmail } from "#tests/support/people.ts";
import { rawMail } from "#tests/support/raw-mail.ts";
import { staffRow } from "#tests/support/staff-member.ts";
import { contactEmails } from "../contact-emails.server.tsx";
import { sendMessage } from "../contact.server.ts";
import { contactMessages } from "../contact.tables.ts";
import { keepMessage, sendReply } from "../thread/answer.server.ts";
import { listMessages } from "../thread/list-messages.server.ts";
import { readPicture, readThread } from "../thread/thread.server.ts";
import type { Inbox } from "./place.server.ts";
import { receiveMail } from "./receive.server.ts";

const shop = useFreshDatabase();
const query = async (text: string, values: unknown[] = []) => (await shop.pool.query(text, values)).rows;
const SECRET = "a secret of this test, and long enough";
const inbox: Inbox = { address: "support@shop.example", secrets: [SECRET], host: "shop.example" };
const sign = (kind: "message" | "order", id: string, secret = SECRET) =>
  replyAddress({ kind, id }, { baseUrl: "https://shop.example", secret, inbox })!;
const PLAIN = inbox.address;

let email: string;
let id: string;
beforeEach(async () => {
  email = someEmail();
  await sendMessage(shop.db, uncounted, { name: "Ada Lovelace", email, message: "Does it fit a melon?" }, "");
  [{ id }] = await query("SELECT id FROM contact_messages WHERE email = $1", [email]);
});

const reports: unknown[] = [];
const take = (raw: Buffer, of = inbox) => receiveMail(shop.db, of, raw, (error) => reports.push(error));
type Places = Parameters<typeof rawMail>[1];
const receive = (name: string, places: Places = {}) =>
  take(rawMail(name, { from: email, mailId: `<${randomUUID()}@example.com>`, ...places }));
const conversations = (from: string) =>
  query(
    `SELECT id, message, subject, warning, claimed_id AS claimed, order_id AS "orderId" FROM contact_messages
     WHERE email = $1 ORDER BY created_at`,
    [from],
  );
const emailsOf = async (messageId: string) => (await readThread(shop.db, messageId))!.emails;

describe("an answer", () => {
  it("joins the conversation that its address names, opens it again, and is cut for reading", async () => {
    await query("UPDATE contact_messages SET status = 'closed' WHERE id = $1", [id]);
    expect(await receive("gmail-web", { replyTo: sign("message", id), from: email.toUpperCase() })).toBe("stored");
    expect(await readThread(shop.db, id)).toMatchObject({
      status: "open",
      statusBy: null,
      emails: [{ written: "Perfect, thank you! I'll order the small one.", history: expect.stringMatching(/^On Thu/) }],
    });
    const [{ text }] = await query("SELECT text FROM incoming_emails WHERE message_id = $1", [id]);
    expect(text).toContain("> > Does it fit a melon?");
    expect(await conversations(email)).toHaveLength(1);
  });

  it.each(["receipt", "reply"])("joins by the Message-ID of a %s, where its address was lost", async (kind) => {
    const replyId = randomUUID();
    await query("INSERT INTO contact_replies (id, message_id, body) VALUES ($1, $2, 'It does.')", [replyId, id]);
    const thread = `<${kind}.${kind === "reply" ? replyId : id}@shop.example>`;
    expect(await receive("apple-mail", { replyTo: PLAIN, thread })).toBe("stored");
    expect(await emailsOf(id)).toHaveLength(1);
  });

  it("about an order begins a conversation about it, which the next one joins", async () => {
    const orderId = await makeOrder(shop.db, { email: email.toUpperCase() });
    const replyTo = sign("order", orderId);
    expect(await receive("outlook-html-only", { replyTo })).toBe("stored");
    expect(await receive("gmail-web", { replyTo })).toBe("stored");
    const [, about, ...more] = await conversations(email);
    expect(about).toMatchObject({ orderId, warning: null, subject: "RE: Your Polara order 8f3a61c2 has shipped" });
    expect(about.message).toBe("The package was left at my neighbor’s door.\n\nCan you ask the carrier?");
    expect(more).toEqual([]);
    expect((await emailsOf(about.id)).map(({ isFirst }) => isFirst)).toEqual([true, false]);
  });

  it("is signed by a former secret, too", async () => {
    const former = { ...inbox, secrets: ["a new secret", SECRET] };
    const raw = rawMail("apple-mail", { replyTo: sign("message", id), from: email });
    expect(await take(raw, former)).toBe("stored");
    expect(await emailsOf(id)).toHaveLength(1);
  });

  it("that comes twice at once is one", async () => {
    const places = { replyTo: sign("message", id), mailId: `<${randomUUID()}@example.com>` };
    const received = await Promise.all([1, 2, 3].map(() => receive("gmail-web", places)));
    expect(received.toSorted()).toEqual(["repeated", "repeated", "stored"]);
    const fresh = { replyTo: PLAIN, thread: "<none@example.com>", mailId: `<${randomUUID()}@example.com>` };
    expect((await Promise.all([1, 2].map(() => receive("gmail-new", fresh)))).toSorted()).toEqual([
      "repeated",
      "stored",
    ]);
    expect([(await emailsOf(id)).length, (await conversations(email)).length]).toEqual([1, 2]);
  });
});

describe("an email without a conversation", () => {
  it("begins one, with the order that it names if that is its sender's", async () => {
    const [older, newer] = [await makeOrder(shop.db, { email }), await makeOrder(shop.db, { email })];
    await query("UPDATE orders SET created_at = now() - interval '9 days' WHERE id = $1", [older]);
    expect(await receive("gmail-new")).toBe("stored");
    const [, begun] = await conversations(email);
    expect(begun).toMatchObject({ subject: "Question before I buy", warning: null, orderId: newer });
  });

  it("of an address that sent five in an hour is kept with the automatic ones, and after sixty not at all", async () => {
    const send = (count: number) =>
      query("INSERT INTO contact_messages (name, email, message) SELECT 'Ada', $1, 'Hi' FROM generate_series(1, $2)", [
        email,
        count,
      ]);
    await send(3);
    expect([await receive("gmail-new"), await receive("gmail-new")]).toEqual(["stored", "automatic"]);
    await send(53);
    expect([await receive("gmail-new"), await receive("gmail-new")]).toEqual(["automatic", "too-many"]);
  });
});

describe("an email with a Reply-To", () => {
  const asking = (replyTo: string, places: Places = {}) => {
    const raw = rawMail("apple-mail", {
      replyTo: PLAIN,
      from: email,
      mailId: `<${randomUUID()}@example.com>`,
      ...places,
    });
    return take(Buffer.concat([Buffer.from(`Reply-To: ${replyTo}\r\n`), raw]));
  };

  it("is answered there, and is not taken for one about the order of whom it names", async () => {
    const bob = someEmail("bob");
    await makeOrder(shop.db, { email: bob });
    await makeOrder(shop.db, { email });
    expect(await asking(bob)).toBe("stored");
    const [begun] = await conversations(bob);
    expect(begun).toMatchObject({ orderId: null, warning: null });
    expect(await readThread(shop.db, begun.id)).toMatchObject({ email: bob, sentFrom: email, orderId: null });
  });

  it("joins the conversation of its sender, whose address stays", async () => {
    const bob = someEmail("bob");
    expect(await asking(bob, { replyTo: sign("message", id) })).toBe("stored");
    expect(await readThread(shop.db, id)).toMatchObject({ email, emails: [{ replyTo: bob }] });
  });

  it("joins the conversation that its pair of addresses began, and no other one does", async () => {
    const bob = someEmail("bob");
    await asking(bob);
    const [begun] = await conversations(bob);
    const replyTo = sign("message", begun.id);
    expect(await asking(bob, { replyTo })).toBe("stored");
    expect(await emailsOf(begun.id)).toMatchObject([{ replyTo: null }, { replyTo: null }]);
    await asking(bob, { replyTo, from: someEmail("mallory") });
    await asking(someEmail("mallory"), { replyTo });
    expect(await emailsOf(begun.id)).toHaveLength(2);
  });

  it.each(["its sender", "its Reply-To"])(
    "is kept apart if only %s has the order whose address it was sent to",
    async (who) => {
      const mallory = someEmail("mallory");
      const replyTo = sign("order", await makeOrder(shop.db, { email }));
      if (who === "its sender") await asking(mallory, { replyTo });
      else await asking(email, { replyTo, from: mallory });
      const made = await conversations(who === "its sender" ? mallory : email);
      expect(made.at(-1)).toMatchObject({ warning: "other-sender", orderId: null });
    },
  );
});

describe("a forged email is kept apart, with a warning", () => {
  const stranger = someEmail("mallory");
  it.each<[string, () => Promise<Places>, object]>([
    [
      "answers a Message-ID of another customer",
      async () => ({ replyTo: PLAIN, thread: `<receipt.${id}@shop.example>` }),
      { warning: "other-sender" },
    ],
    [
      "is sent to another customer's address",
      async () => ({ replyTo: sign("message", id) }),
      { warning: "other-sender" },
    ],
    [
      "is sent to the address of another's order",
      async () => ({ replyTo: sign("order", await makeOrder(shop.db, { email })) }),
      { warning: "other-sender", claimed: null },
    ],
    [
      "is sent to an address that nobody signed",
      async () => ({ replyTo: sign("message", id, "another secret") }),
      { warning: "forged-address", claimed: null },
    ],
  ])("if it %s", async (_how, places, made) => {
    await query("DELETE FROM contact_messages WHERE email = $1", [stranger]);
    await makeOrder(shop.db, { email: stranger });
    expect(await receive("apple-mail", { ...(await places()), from: stranger })).toBe("stored");
    expect(await emailsOf(id)).toEqual([]);
    expect(await conversations(stranger)).toMatchObject([{ claimed: id, orderId: null, ...made }]);
  });

  it("and one of a customer to an address that nobody signed joins nothing either", async () => {
    const thread = `<receipt.${id}@shop.example>`;
    expect(await receive("apple-mail", { replyTo: sign("message", id, "another"), thread })).toBe("stored");
    expect(await emailsOf(id)).toEqual([]);
    expect((await conversations(email))[1]).toMatchObject({ warning: "forged-address" });
  });

  it("but an answer to a conversation that was erased is just a new one", async () => {
    await query("DELETE FROM contact_messages WHERE id = $1", [id]);
    expect(await receive("apple-mail", { replyTo: sign("message", id) })).toBe("stored");
    expect(await conversations(email)).toMatchObject([{ warning: null }]);
  });
});

describe("programs", () => {
  it.each([
    "gmail-vacation",
    "outlook-out-of-office",
    "exchange-undeliverable",
    "gmail-address-not-found",
    "postfix-bounce",
    "mailing-list",
  ])("%s is kept apart, and changes no conversation", async (name) => {
    await query("UPDATE contact_messages SET status = 'closed' WHERE id = $1", [id]);
    expect(await receive(name, { replyTo: sign("message", id) })).toBe("automatic");
    expect(await readThread(shop.db, id)).toMatchObject({ status: "closed", emails: [] });
    const [kept] = await query("SELECT id FROM contact_messages WHERE automatic ORDER BY created_at DESC LIMIT 1");
    const { message, claimedId } = (await readThread(shop.db, kept.id))!;
    expect(message).not.toBe("");
    if (name === "outlook-out-of-office") expect(claimedId).toBe(id);
    const listed = async (status: "automatic" | "open" | "waiting" | "all") =>
      (await listMessages(shop.db, { status })).some((one) => one.id === kept.id);
    expect([await listed("automatic"), await listed("all")]).toEqual([true, true]);
    expect([await listed("open"), await listed("waiting")]).toEqual([false, false]);
  });

  it.each<[how: string, act: (grace: Acting) => Promise<unknown>]>([
    ["an email of a person", () => receive("gmail-web", { replyTo: sign("message", id) })],
    [
      "a reply of staff",
      (grace) =>
        sendReply(
          shop.db,
          grace,
          { messageId: id, replyId: randomUUID(), body: "Hello", seen: 0, closes: false },
          anyPermit,
        ),
    ],
    ["staff", (grace) => keepMessage(shop.db, grace, id)],
  ])("%s moves a conversation to those of people", async (_how, act) => {
    await query("UPDATE contact_messages SET automatic = true WHERE id = $1", [id]);
    await act(await staffRow(shop.pool, "support"));
    expect((await readThread(shop.db, id))?.isAutomatic).toBe(false);
  });

  it("are moved once, with a row of the audit log, and stay open", async () => {
    await query("UPDATE contact_messages SET automatic = true WHERE id = $1", [id]);
    const grace = await staffRow(shop.pool, "support");
    const moved = await Promise.all([1, 2].map(() => keepMessage(shop.db, grace, id)));
    expect(moved.map((one) => one.ok && one.repeated).toSorted()).toEqual([false, true]);
    const audited = await query("SELECT action FROM audit_log WHERE subject = $1", [`message:${id}`]);
    expect(audited).toEqual([{ action: "message.keep" }]);
    expect((await listMessages(shop.db, { status: "waiting", search: email })).some((one) => one.id === id)).toBe(true);
  });

  it("the shop does not read what it has sent itself, but keeps what its staff wrote", async () => {
    for (const from of [inbox.address, supportEmail()]) {
      const raw = rawMail("gmail-new", { from, mailId: `<${randomUUID()}@mail.example>` });
      expect(await take(Buffer.concat([Buffer.from("Auto-Submitted: auto-generated\r\n"), raw]))).toBe("own");
      expect(await take(raw)).toBe("automatic");
    }
  });

  it("one that answers everything fills no conversation, and no answer is sent to it", async () => {
    const queued = () => query("SELECT FROM pgboss.job WHERE name = 'mail'");
    const before = (await queued()).length;
    await query(
      `INSERT INTO incoming_emails (message_id, mail_id, text, first, refused)
       SELECT $1, gen_random_uuid()::text, 'Away', false, '{}' FROM generate_series(1, 19)`,
      [id],
    );
    const received = [];
    for (let i = 0; i < 3; i++) received.push(await receive("gmail-web", { replyTo: sign("message", id) }));
    expect(received).toEqual(["stored", "automatic", "automatic"]);
    expect((await queued()).length).toBe(before);
    await query("UPDATE incoming_emails SET created_at = created_at - interval '1 hour'");
    expect(await receive("gmail-web", { replyTo: sign("message", id) })).toBe("stored");
  });
});

describe("an email that cannot be read", () => {
  it("is a message that says so, from its sender, and joins nothing", async () => {
    const raw = Buffer.from(
      `From: Ada <${email}>\r\nTo: ${sign("message", id)}\r\nSubject: Lines\r\n\r\n${"\n".repeat(60_000)}`,
    );
    expect([await take(raw), await take(raw)]).toEqual(["unreadable", "repeated"]);
    const [, kept] = await conversations(email);
    expect(kept).toMatchObject({ warning: "unreadable", claimed: id, subject: "Lines", orderId: null });
    expect(await readThread(shop.db, kept.id)).toMatchObject({
      message: "This email could not be read.",
      emails: [{ written: "This email could not be read." }],
    });
  });

  it("because the database refuses it is kept without its words, and reported", async () => {
    await query(
      "ALTER TABLE contact_messages ADD CONSTRAINT poison CHECK (subject <> 'Question before I buy') NOT VALID",
    );
    onTestFinished(() => query("ALTER TABLE contact_messages DROP CONSTRAINT poison").then(() => {}));
    reports.length = 0;
    expect(await receive("gmail-new")).toBe("unreadable");
    expect(reports).toHaveLength(1);
    expect(await conversations("")).toMatchObject([{ warning: "unreadable", subject: "" }]);
  });

  it("while the database does not answer is tried again", async () => {
    const { db, pool } = openDatabase("postgres://127.0.0.1:1/none", 1, null);
    onTestFinished(() => pool.end());
    await expect(receiveMail(db, inbox, rawMail("gmail-new"), () => {})).rejects.toThrow();
  });
});

describe("attachments", () => {
  it("are pictures, encoded again and shown in their order; the others are named", async () => {
    await receive("apple-mail-pictures", { replyTo: sign("message", id) });
    const [stored] = await emailsOf(id);
    expect(stored).toMatchObject({ refused: ["IMG_1816.HEIC"] });
    expect(stored?.pictures.map(({ name }) => name)).toEqual(["IMG_1815.jpeg", "Foto Küche.png"]);
    const image = await readPicture(shop.db, stored!.pictures[1]!.id, id);
    expect(await sharp(image!).metadata()).toMatchObject({ format: "jpeg", width: 40 });
    expect(await readPicture(shop.db, stored!.pictures[1]!.id, randomUUID())).toBeNull();
  });

  it("are at most ten, without what only says that it is a picture", async () => {
    const png = (
      await sharp({ create: { width: 8, height: 8, channels: 3, background: "#777" } })
        .png()
        .toBuffer()
    ).toString("base64");
    const part = (name: string, body: string) =>
      `--b\r\nContent-Type: image/png; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}\r\n`;
    const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>").toString(
      "base64",
    );
    const parts = [part("script.png", svg), ...Array.from({ length: 12 }, (_, i) => part(`${i}.png`, png))];
    const raw = `From: ${email}\r\nTo: ${sign("message", id)}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join("")}--b--\r\n`;
    expect(await take(Buffer.from(raw))).toBe("stored");
    const [stored] = await emailsOf(id);
    expect(stored?.pictures).toHaveLength(10);
    expect(stored?.refused).toEqual(["script.png", "10.png", "11.png"]);
  });
});

it("a reply goes to the customer's last email, in its thread, and asks for answers at the conversation's address", async () => {
  const mailId = `<${randomUUID()}@example.com>`;
  await receive("outlook-html-only", { replyTo: PLAIN, mailId });
  const [, begun] = await conversations(email);
  const replyId = randomUUID();
  await query("INSERT INTO contact_replies (id, message_id, body) VALUES ($1, $2, 'We ask them.')", [
    replyId,
    begun.id,
  ]);
  const emailShop = { baseUrl: "https://shop.example", secret: SECRET, inbox };
  expect(await contactEmails["contact-reply"].write(shop.db, { replyId }, emailShop)).toMatchObject({
    to: email,
    replyTo: sign("message", begun.id),
    subject: "Re: Your Polara order 8f3a61c2 has shipped",
    thread: { id: `<reply.${replyId}@shop.example>`, after: [mailId] },
    text: expect.stringMatching(
      /^We ask them\.\n\nYou wrote:\n> The package was left[^\n]*\n> \n> Can you ask the carrier\?$/,
    ),
  });
  expect(await contactEmails["contact-receipt"].write(shop.db, { messageId: id }, emailShop)).toMatchObject({
    replyTo: sign("message", id),
  });
});

it("an erased conversation takes its emails and pictures along", async () => {
  await receive("apple-mail-pictures", { replyTo: sign("message", id) });
  await shop.db.delete(contactMessages);
  expect(await query("SELECT FROM incoming_emails UNION ALL SELECT FROM incoming_pictures")).toEqual([]);
});
