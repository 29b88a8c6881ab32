/** Emails of customers, as the mail provider posts them, and what staff and strangers see of them. */
import { createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { useFreshDatabase } from "../support/fresh-database.ts";
import { HOSTILE_MAIL, hostileMail } from "../support/hostile-mail.ts";
import { startImapServer } from "../support/imap-server.ts";
import { rawMail } from "../support/raw-mail.ts";
import { startShop, type Shop } from "../support/shop.ts";
import type { StaffMember } from "../support/staff-member.ts";
import { useShop } from "../support/use-shop.ts";
import type { Visitor } from "../support/visitor.ts";

const SECRET = "a webhook that only tests know";
const { shop, visitor, database, actor, staff } = useShop({
  INBOX_ADDRESS: "support@shop.example",
  INBOX_WEBHOOK_SECRET: SECRET,
});

type Signed = { secret?: string; ageSeconds?: number; signed?: Buffer };
function send(raw: Buffer, { secret = SECRET, ageSeconds = 0, signed = raw }: Signed = {}): Promise<Response> {
  const time = Math.floor(Date.now() / 1000) - ageSeconds;
  const mac = createHmac("sha256", secret).update(`${time}.`).update(signed).digest("hex");
  const headers = { "Content-Type": "message/rfc822", "Polara-Signature": `t=${time},v1=${mac}` };
  return fetch(`${shop.url}/inbox/mail`, { method: "POST", body: new Uint8Array(raw), headers });
}
const stored = async () => Number((await database.pool.query("SELECT count(*) FROM incoming_emails")).rows[0].count);
const email = `ada-${randomUUID()}@example.com`;
const fresh = (name: string, places = {}) =>
  rawMail(name, { from: email, mailId: `<${randomUUID()}@example.com>`, ...places });

describe("a posted email", () => {
  it.each<[string, Signed]>([
    ["with another secret", { secret: "another secret, which is wrong" }],
    ["of ten minutes ago", { ageSeconds: 600 }],
    ["of ten minutes ahead", { ageSeconds: -600 }],
    ["that was changed", { signed: Buffer.from("something else") }],
  ])("%s is refused", async (_what, how) => {
    expect((await send(fresh("gmail-new"), how)).status).toBe(400);
    expect(await stored()).toBe(0);
  });

  it("is refused without a signature, and over its size", async () => {
    const url = `${shop.url}/inbox/mail`;
    const bare = await fetch(url, { method: "POST", body: new Uint8Array(fresh("gmail-new")) });
    expect(bare.status).toBe(400);
    expect((await send(Buffer.alloc(26 * 1024 * 1024, "a"))).status).toBe(413);
    expect(await stored()).toBe(0);
  });
});

describe("an answer", () => {
  let grace: StaffMember;
  let path: string;
  const page = async (who: Visitor, address = path) => (await who.fetch(address)).text();
  beforeAll(async () => {
    grace = await staff("support");
    await visitor.post("/support", { name: "Ada Lovelace", email, message: "Does it fit?", "leave-empty": "" });
    const { rows } = await database.pool.query("SELECT id FROM contact_messages WHERE email = $1", [email]);
    path = `/admin/messages/${rows[0].id}`;
  });

  it("joins its conversation, where staff see its words, history, pictures and what was not kept", async () => {
    const thread = `<receipt.${path.split("/").at(-1)}@localhost>`;
    const answer = await send(fresh("apple-mail-pictures", { replyTo: "support@shop.example", thread }));
    expect([answer.status, await answer.text()]).toEqual([200, "stored"]);
    const html = await page(grace.visitor);
    expect(html).toContain("Two photos of the crack:");
    expect(html).toMatch(/<details[^>]*><summary[^>]*>Earlier emails below it/);
    expect(html).toContain("Not kept: IMG_1816.HEIC");
    const [, picture = ""] = new RegExp(`src="(${path}/pictures/[0-9a-f-]{36})"`).exec(html) ?? [];
    const image = await grace.visitor.fetch(picture);
    expect([image.status, image.headers.get("Content-Type")]).toEqual([200, "image/jpeg"]);
    expect(image.headers.get("Cache-Control")).toContain("no-store");
    const ofAnother = picture.replace(/messages\/[^/]+/, `messages/${randomUUID()}`);
    expect((await grace.visitor.fetch(ofAnother)).status).toBe(404);
    const [guest, customer, packer] = [await actor("guest"), await actor("customer"), await staff("packer")];
    for (const { visitor: who } of [guest, customer]) expect((await who.fetch(picture)).status).toBe(404);
    expect((await packer.visitor.fetch(picture)).status).toBe(403);
  });

  it("of somebody else is kept apart, with a warning that leads to what it claims to answer", async () => {
    const thread = `<receipt.${path.split("/").at(-1)}@localhost>`;
    const mallory = `mallory-${randomUUID()}@example.com`;
    expect((await send(fresh("forged-reply", { thread, from: mallory }))).status).toBe(200);
    expect(await page(grace.visitor)).not.toContain("Send the refund");
    const { rows } = await database.pool.query("SELECT id FROM contact_messages WHERE email = $1", [mallory]);
    const html = await page(grace.visitor, `/admin/messages/${rows[0].id}`);
    expect(html).toContain("Send the refund of my order");
    expect(html).toMatch(/role="alert"[^]*from another address/);
    expect(html).toContain(`href="${path}"`);
  });

  it("is shown as text, whatever it holds", async () => {
    const thread = `<receipt.${path.split("/").at(-1)}@localhost>`;
    const raw = Buffer.from(
      fresh("apple-mail", { thread })
        .toString("latin1")
        .replace("Then I take", '<img src=x onerror="alert(1)"> <script>alert(2)</script>'),
      "latin1",
    );
    expect((await send(raw)).status).toBe(200);
    expect(await page(grace.visitor)).not.toMatch(/<img src=x|<script>alert/);
  });
});

describe("an email that costs more than its size", () => {
  const imapDatabase = useFreshDatabase(5);
  const isNightly = Boolean(process.env["NIGHTLY"]);
  const names = Object.keys(HOSTILE_MAIL);
  /** Neighbors are much alike: all of them are sent at night. */
  const kinds = names.filter((_, place) => place % 6 === 0);
  /** The longest wait of /healthz and the largest resident memory, in milliseconds and megabytes, while `act` runs. */
  async function during(one: Shop, act: () => Promise<void>): Promise<{ wait: number; memory: number }> {
    const most = { wait: 0, memory: 0 };
    let isDone = false;
    const watch = async () => {
      while (!isDone) {
        const asked = performance.now();
        expect((await fetch(`${one.url}/healthz`)).status).toBe(200);
        const status = readFileSync(`/proc/${one.child.pid}/status`, "utf8");
        most.wait = Math.max(most.wait, performance.now() - asked);
        most.memory = Math.max(most.memory, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
        await new Promise((next) => setTimeout(next, 10));
      }
    };
    await Promise.all([act().finally(() => (isDone = true)), watch()]);
    return most;
  }
  const figures = (name: string, { wait, memory }: { wait: number; memory: number }) =>
    process.env["FIGURES"] && process.stderr.write(`${name}: ${Math.round(wait)} ms, ${Math.round(memory)} MB\n`);
  /** A busy machine makes every answer slow; an email that stood the shop still took from 2 seconds to forever. */
  const expectAwake = (most: { wait: number; memory: number }) => {
    expect(most.wait).toBeLessThan(1_500);
    expect(most.memory).toBeLessThan(600);
  };

  it.each(isNightly ? names : kinds)(
    "by webhook keeps nobody waiting, is taken once and for all, and is seen by staff: %s",
    async (name) => {
      const from = `m-${randomUUID().slice(0, 8)}@example.com`;
      const raw = hostileMail(name, from);
      const before = await stored();
      const most = await during(shop, async () => {
        const answer = await send(raw);
        const kept = expect.stringMatching(/^(?:stored|unreadable|automatic)$/);
        expect([answer.status, await answer.text()]).toEqual([200, kept]);
      });
      figures(name, most);
      expectAwake(most);
      expect(await stored()).toBe(before + 1);
    },
  );

  // A minute for the same mails by another way: at night.
  it.runIf(isNightly)("by IMAP keeps nobody waiting, and is read once", { timeout: 300_000 }, async () => {
    const emails = Object.fromEntries(kinds.map((name, i) => [i + 1, hostileMail(name, `m-${i}@example.com`)]));
    const server = await startImapServer(emails);
    const imapShop = await startShop({
      DATABASE_URL: imapDatabase.url,
      INBOX_ADDRESS: "support@shop.example",
      IMAP_URL: server.url,
      PAYMENTS: "sandbox",
      // A shop of another day begins its chores at once.
      CLOCK_OFFSET: "1d",
    });
    onTestFinished(async () => void (await imapShop.stop()));
    const most = await during(imapShop, () =>
      expect.poll(() => server.seen.size, { timeout: 240_000 }).toBe(kinds.length),
    );
    figures("by IMAP", most);
    expectAwake(most);
    const { rows } = await imapDatabase.pool.query("SELECT count(*)::int AS kept FROM incoming_emails");
    expect(rows[0].kept).toBe(kinds.length);
  });
});
