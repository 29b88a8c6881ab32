/** The mailbox holds reset links: it is shown to this machine only, unless its owner opens it. */
import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useFreshDatabase } from "../../support/fresh-database.ts";
import { emailTo } from "../../support/mailbox.ts";
import { launch, startShop, type Shop } from "../../support/shop.ts";
import { useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const ADDRESSES = ["/mailbox", "/mailbox.json", "/mailbox.data", "/mailbox.json.data"];
const VICTIM = "victim.of.the.mailbox@example.com";

type Answer = { status: number; text: string };

/** Asks an address of this machine, whatever the Host header says. */
function ask(shopUrl: string, path: string, headers: Record<string, string>, address = "127.0.0.1"): Promise<Answer> {
  return new Promise((done, failed) => {
    const { port } = new URL(shopUrl);
    request({ host: address, port, path, headers: { Host: `localhost:${port}`, ...headers } }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => done({ status: response.statusCode ?? 0, text }));
    })
      .on("error", failed)
      .end();
  });
}

/** An address of this machine that is not loopback. */
const lan = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && !one.internal && one.family === "IPv4")?.address;

const holdsEmail = ({ text }: Answer) => text.includes(VICTIM) || text.includes("token=");

/** An account whose link to confirm it lies in the mailbox. */
async function sendEmail(shop: Shop): Promise<void> {
  const words = { firstName: "Vic", lastName: "Tim", password: "a long passphrase", terms: "on" };
  const signedUp = await new Visitor(shop.url).post("/auth", {
    intent: "sign-up",
    email: VICTIM,
    confirmPassword: words.password,
    ...words,
  });
  expect(signedUp.status).toBe(303);
  await emailTo(shop.url, VICTIM, "");
}

function expectRefusal(answer: Answer): void {
  expect(answer.status).toBe(403);
  expect(holdsEmail(answer)).toBe(false);
  expect(answer.text).toContain("MAILBOX=open");
}

describe("the mailbox of a trial shop", () => {
  const { shop } = useShop();
  beforeAll(() => sendEmail(shop));

  it("opens the links of an email in the window itself: one that the frame opened would be as restricted", async () => {
    const { text } = await ask(shop.url, "/mailbox", {});
    expect(text).toContain("&lt;head&gt;&lt;base target=&quot;_top&quot;&gt;");
    expect(text).not.toContain("target=&quot;_blank");
  });

  it("has no samples of emails beside it, as a shop in development has", async () => {
    expect((await ask(shop.url, "/emails", {})).status).toBe(404);
  });

  describe.each(ADDRESSES)("%s", (path) => {
    it.each(["localhost", "127.0.0.1", "127.9.8.7", "[::1]"])(
      "answers this machine under the name %s",
      async (name) => {
        const answer = await ask(shop.url, path, { Host: `${name}:${new URL(shop.url).port}` });
        expect([answer.status, holdsEmail(answer)]).toEqual([200, true]);
      },
    );

    it.each([
      "evil.example",
      "evil.example:80",
      "localhost.evil.example",
      "127.0.0.1.evil.example",
      "127.evil.example",
      "192.0.2.1",
      "[fe80::1]",
      "0.0.0.0",
    ])("refuses a page of elsewhere whose name was made to lead to this machine: %s", async (host) => {
      expectRefusal(await ask(shop.url, path, { Host: host }));
    });

    it.runIf(lan)("refuses another machine, whatever it calls the shop and itself", async () => {
      expectRefusal(await ask(shop.url, path, {}, lan));
      expectRefusal(await ask(shop.url, path, { "X-Forwarded-For": "127.0.0.1", Forwarded: "for=127.0.0.1" }, lan));
    });

    it.each(["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])(
      "refuses what came through a proxy that nobody has named: %s",
      async (header) => {
        expectRefusal(await ask(shop.url, path, { [header]: "127.0.0.1" }));
      },
    );
  });
});

describe("behind a proxy that is trusted", () => {
  const { shop } = useShop({ TRUST_PROXY: "loopback" });
  beforeAll(() => sendEmail(shop));

  it.each(ADDRESSES)("%s is shown to the proxy's own machine and to nobody else", async (path) => {
    for (const caller of ["203.0.113.7", "127.0.0.1, 203.0.113.7", "::1, 2001:db8::1", "192.168.1.5, 127.0.0.1"])
      expectRefusal(await ask(shop.url, path, { "X-Forwarded-For": caller }));
    const own = await ask(shop.url, path, { "X-Forwarded-For": "127.0.0.1" });
    expect([own.status, holdsEmail(own)]).toEqual([200, true]);
  });
});

describe("MAILBOX=open", () => {
  const { shop } = useShop({ MAILBOX: "open" });
  beforeAll(() => sendEmail(shop));

  it.each(ADDRESSES)("%s is shown to everybody", async (path) => {
    const answer = await ask(shop.url, path, { Host: "evil.example", "X-Forwarded-For": "203.0.113.7" }, lan);
    expect([answer.status, holdsEmail(answer)]).toEqual([200, true]);
  });

  it("is said where the shop says that it is open", () => {
    expect(shop.output()).toMatch(/\/mailbox, open to everybody who reaches the shop/);
  });
});

describe("with a mail server", () => {
  const { shop } = useShop({ SMTP_URL: "smtp://127.0.0.1:9", MAILBOX: "open" });

  it.each(ADDRESSES)("%s is not there, also not with MAILBOX=open", async (path) => {
    expect((await ask(shop.url, path, {})).status).toBe(404);
  });
});

describe("HOST", () => {
  const database = useFreshDatabase(1);
  let shop: Shop;
  beforeAll(async () => {
    shop = await startShop({ DATABASE_URL: database.url, HOST: "127.0.0.1" });
  });
  afterAll(() => shop.stop());

  it.runIf(lan)("narrows where the shop listens", async () => {
    expect((await ask(shop.url, "/healthz", {})).status).toBe(200);
    await expect(ask(shop.url, "/healthz", {}, lan)).rejects.toThrow("ECONNREFUSED");
    expect(shop.output()).toMatch(/Polara is open: {2}http:\/\/127\.0\.0\.1:\d+/);
    expect(shop.output()).toContain("/mailbox, open to this machine only");
  });

  it("of another machine ends the start with a clear sentence", async () => {
    const started = launch({ DATABASE_URL: database.url, HOST: "203.0.113.9", PORT: "3998" });
    expect(await started.ended).toBe(1);
    expect(started.output().trim()).toBe(
      "HOST=203.0.113.9 is no address of this machine. Set HOST to one that is, or unset it to listen on all of them.",
    );
  });
});
