/** The mailbox holds reset links: it is shown to this machine only, unless its owner opens it. */
import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { beforeAll, describe, expect, it } from "vitest";
import { emailTo } from "../../support/mailbox.ts";
import { launch } from "../../support/shop.ts";
import { signUpForm, useShop } from "../../support/use-shop.ts";

const ADDRESSES = ["/mailbox", "/mailbox.json", "/mailbox.data", "/mailbox.json.data"];
const VICTIM = "victim.of.the.mailbox@example.com";
/** An address of this machine that is not loopback. */
const lan = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && !one.internal && one.family === "IPv4")?.address;

const shops = {
  trial: useShop(),
  open: useShop({ MAILBOX: "open" }),
  /** Listening on this machine alone. */
  mailed: useShop({ SMTP_URL: "smtp://127.0.0.1:9", MAILBOX: "open", HOST: "127.0.0.1" }),
};
type Name = keyof typeof shops;
const { trial, open, mailed } = shops;

type Answer = { status: number; text: string };
type Sent = { method: string; body: string };
/** Asks an address of this machine with any Host. */
function ask(
  name: Name,
  path: string,
  headers: Record<string, string> = {},
  host = "127.0.0.1",
  { method, body }: Sent = { method: "GET", body: "" },
): Promise<Answer> {
  const { port } = new URL(shops[name].shop.url);
  return new Promise((done, failed) => {
    request({ host, port, path, method, headers: { Host: `localhost:${port}`, ...headers } }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => done({ status: response.statusCode ?? 0, text }));
    })
      .on("error", failed)
      .end(body);
  });
}

/** In each an account has a confirmation link in the mailbox. */
beforeAll(async () => {
  for (const { shop, visitor } of [trial, open]) {
    expect((await visitor.post("/auth", signUpForm(VICTIM))).status).toBe(303);
    await emailTo(shop.url, VICTIM, "");
  }
});

const FOREIGN = { Host: "evil.example", "X-Forwarded-For": "203.0.113.7" };

/** platform/client-address.test.ts tells who asks from this machine. */
it.each<[who: string, mailbox: number, gauges: number, shop: Name, headers: Record<string, string>, from?: string]>([
  ["this machine", 200, 200, "trial", {}],
  ["another host", 403, 404, "trial", { Host: "evil.example" }],
  ["a proxy", 403, 404, "trial", { "X-Forwarded-For": "127.0.0.1" }],
  ["anybody, where it is open", 200, 404, "open", FOREIGN, lan],
  ["this machine, in a shop that sends mail", 404, 200, "mailed", {}],
])("to %s the mailbox answers %i and the gauges answer %i", async (_who, mailbox, gauges, shop, headers, from) => {
  for (const path of ADDRESSES) {
    const answer = await ask(shop, path, headers, from);
    const holdsEmail = answer.text.includes(VICTIM) || answer.text.includes("token=");
    expect([path, answer.status, holdsEmail]).toEqual([path, mailbox, mailbox === 200]);
    if (mailbox === 403) expect(answer.text).toContain("MAILBOX=open");
  }
  const { status, text } = await ask(shop, "/metrics", headers, from);
  expect([status, text.includes("polara_failed_emails 0\n")]).toEqual([gauges, gauges === 200]);
});

describe("the mailbox takes an email of a customer", () => {
  const mail = { "Content-Type": "message/rfc822" };
  const post = (
    name: Name,
    headers: Record<string, string>,
    { from, method = "POST", body = "Hi" }: { from?: string; method?: string; body?: string } = {},
  ) => ask(name, "/mailbox.json", headers, from, { method, body });

  it("and an answer joins its conversation, by the Message-ID and the headers that it shows", async () => {
    const email = "trial.customer@example.com";
    const form = { name: "Ada Lovelace", email, message: "Does it fit?", "leave-empty": "" };
    expect((await trial.visitor.post("/support", form)).status).toBe(200);
    const { messageId, headers } = await emailTo(trial.shop.url, email, "We have your message");
    expect(headers).toMatchObject({ To: email, "Message-ID": messageId, "Auto-Submitted": "auto-generated" });
    const body = `From: ${email}\r\nTo: ${headers["Reply-To"] ?? headers["From"]}\r\nIn-Reply-To: ${messageId}\r\n\r\nA large one?`;
    expect(await post("trial", mail, { body })).toEqual({ status: 200, text: '{"received":"stored"}' });
    const { rows } = await trial.database.pool.query(
      "SELECT e.text FROM incoming_emails e JOIN contact_messages m ON m.id = e.message_id WHERE m.email = $1",
      [email],
    );
    expect(rows).toEqual([{ text: "A large one?" }]);
  });

  it.each<[number, string, Name, Record<string, string>, { from?: string; method?: string; body?: string }?]>([
    [415, "another type", "trial", { "Content-Type": "application/json" }],
    [415, "a type that a form of another site can send", "trial", { "Content-Type": "text/plain" }],
    [415, "no type", "trial", {}],
    [413, "more than an email has", "trial", mail, { body: "a".repeat(26 * 1024 * 1024) }],
    [403, "another host", "trial", { ...mail, Host: "evil.example" }],
    [403, "a proxy", "trial", { ...mail, "X-Forwarded-For": "127.0.0.1" }],
    [403, "a shop that sends mail", "mailed", mail],
    [405, "another method", "trial", mail, { method: "PUT" }],
  ])("but answers %s to %s", async (status, _what, name, headers, more) => {
    expect((await post(name, headers, more)).status).toBe(status);
  });

  it("of anybody while it is open", async () => {
    expect((await post("open", { ...mail, ...FOREIGN }, { body: "From: eve@example.com\r\n\r\nHi" })).status).toBe(200);
  });
});

describe("the mailbox of a trial shop", () => {
  it("opens an email's links in the window, not in its restricted frame", async () => {
    const { text } = await ask("trial", "/mailbox");
    expect(text).toContain("&lt;head&gt;&lt;base target=&quot;_top&quot;&gt;");
    expect(text).not.toContain("target=&quot;_blank");
  });

  it("has no samples of emails, unlike in development", async () => {
    expect((await ask("trial", "/emails")).status).toBe(404);
  });
});

it("an open mailbox is announced at start", () => {
  expect(open.shop.output()).toMatch(/\/mailbox, open to everybody who reaches the shop/);
});

describe("HOST", () => {
  it.runIf(lan)("limits where the shop listens", async () => {
    expect((await ask("mailed", "/healthz")).status).toBe(200);
    await expect(ask("mailed", "/healthz", {}, lan)).rejects.toThrow("ECONNREFUSED");
    expect(mailed.shop.output()).toMatch(/Polara is open: {2}http:\/\/127\.0\.0\.1:\d+/);
    expect(trial.shop.output()).toContain("/mailbox, open to this machine only");
  });

  it("of another machine ends the start with a clear message", async () => {
    const started = launch({ DATABASE_URL: trial.database.url, HOST: "203.0.113.9", PORT: "3998" });
    expect(await started.ended).toBe(1);
    expect(started.output().trim()).toBe(
      "HOST=203.0.113.9 is no address of this machine. Set HOST to one that is, or unset it to listen on all of them.",
    );
  });
});
