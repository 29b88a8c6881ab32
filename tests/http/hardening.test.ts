/** Headers and limits of every request. */
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { giveSecondFactor } from "../support/second-factor.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";
import { adminPages, pages, serverRoutes } from "../support/site-map.ts";
import { STAFF_COOKIE } from "../support/staff-member.ts";
import { Visitor } from "../support/visitor.ts";
import { AUTH_SECRET, signIn as signInAs, signUpForm, someEmail, useShop } from "../support/use-shop.ts";

const BASE_URL = "https://localhost";
const { shop, visitor, database, staff } = useShop({ BASE_URL, TRUST_PROXY: "loopback", PAYMENTS: "sandbox" });

/** A proxied request that arrived over plain http. */
const proxied = (path: string, init: Omit<RequestInit, "headers"> & { headers?: Record<string, string> } = {}) =>
  visitor.fetch(path, { ...init, headers: { "X-Forwarded-Proto": "http", ...init.headers } });

/** The status and headers of a raw response. */
async function asResponse(answer: Promise<string>): Promise<Response> {
  const [head = ""] = (await answer).split("\r\n\r\n");
  const [status = "", ...lines] = head.split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(": ") as [string, string]));
  return new Response(null, { status: Number(status.split(" ")[1]), headers });
}

async function dataFile(): Promise<Response> {
  const { who } = await customer("a password for the file");
  const file = await who.post("/account/download", { password: "a password for the file" });
  expect(file.headers.get("Content-Disposition")).toContain("attachment");
  return file;
}

/** One response of each kind that no address alone brings about. */
const KINDS: [kind: string, send: () => Promise<Response>][] = [
  [
    "a page from the cache",
    async () => {
      await visitor.fetch("/about");
      return visitor.fetch("/about");
    },
  ],
  ["a page that is not there", () => visitor.fetch("/no/such/page")],
  ["a page's data", () => visitor.fetch("/cart.data")],
  ["a problem", () => visitor.fetch("/api/nope")],
  ["a drawing", () => visitor.fetch("/favicon.svg")],
  ["a picture", () => visitor.fetch("/images/mail-wordmark.png")],
  ["a form from elsewhere", () => visitor.post("/cart/clear", {}, { Origin: "https://evil.example" })],
  ["a form that is too large", () => visitor.post("/support", { message: "x".repeat(100_000) })],
  ["a form for a page without one", () => visitor.post("/about", {})],
  ["a page that was asked for without encryption", () => proxied("/shop")],
  ["what a program asked for without encryption", () => proxied("/api/products")],
  ["a request for no clear host", () => asResponse(raw("GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n"))],
  ["a file to save", () => dataFile()],
  ["live news", () => liveNews()],
];

async function liveNews(): Promise<Response> {
  const { cookie } = await staff("packer");
  const response = await visitor.fetch("/admin/live", { headers: { Cookie: `__Host-${STAFF_COOKIE}=${cookie}` } });
  expect(response.headers.get("Content-Type")).toMatch(/^text\/event-stream/);
  await response.body?.cancel();
  return response;
}

function expectHeaders({ headers }: Response, referrer: RegExp) {
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  const [, age, subdomains] =
    /^max-age=(\d+); (includeSubDomains)/.exec(headers.get("Strict-Transport-Security") ?? "") ?? [];
  expect(Number(age)).toBeGreaterThanOrEqual(31_536_000);
  expect(subdomains).toBe("includeSubDomains");
  expect(headers.get("Referrer-Policy")).toMatch(referrer);
  const policy = headers.get("Content-Security-Policy");
  for (const part of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) expect(policy).toContain(part);
}

/** Every address and method, with an id that nobody has in the place of parameters. */
const ROUTES = [
  ...[...pages, ...adminPages].flatMap(({ path, hasAction }) => [
    `GET ${path}`,
    ...(hasAction ? [`POST ${path}`] : []),
  ]),
  ...serverRoutes().map((at) => at.replace(/^ALL /, "POST ")),
].map((at) =>
  at.replace("${page.path}", "/shop").replace(/:\w+/g, "8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f750").replace("*", "none"),
);

describe("every response", () => {
  it.each(KINDS)("has the security headers, and no CORS: %s", async (_kind, send) => {
    const response = await send();
    expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
    expectHeaders(response, /^(strict-origin-when-cross-origin|no-referrer)$/);
  });

  it.each(ROUTES)("has the security headers, and CORS for the catalog's API only: %s", async (at) => {
    const [method = "", path = ""] = at.split(" ");
    const response = await visitor.fetch(path, { method, headers: { Origin: BASE_URL } });
    const isOpen = /^\/api\/(products|openapi)/.test(path);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe(isOpen ? "*" : null);
    expectHeaders(response, /^(strict-origin-when-cross-origin|same-origin|no-referrer)$/);
    await response.body?.cancel();
  });

  it.each([
    ["/reset-password?token=a-key", "same-origin"],
    ["/auth/verify?token=a-key", "same-origin"],
    ["/orders/claim?token=a-key", "same-origin"],
    ["/orders/8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f750?k=a-key", "same-origin"],
    ["/admin/join?token=a-key", "same-origin"],
    ["/waitlist/unsubscribe?k=a-key", "same-origin"],
    ["/unsubscribe?k=a-key", "same-origin"],
    ["/payments/return?order=a-key", "same-origin"],
    ["/payments/wait?order=a-key", "same-origin"],
    ["/waitlist/early?code=a-key", "no-referrer"],
  ])("to a URL with a key sends no referrer to other sites: %s", async (path, policy) => {
    expect((await visitor.fetch(path)).headers.get("Referrer-Policy")).toBe(policy);
  });
});

/** Sends raw bytes, as no browser would. */
function raw(text: string): Promise<string> {
  return new Promise((done, failed) => {
    let answer = "";
    const socket = connect(Number(new URL(shop.url).port), "localhost", () => socket.write(text));
    socket.setTimeout(5_000, () => socket.destroy());
    socket.on("data", (bytes: Buffer) => (answer += bytes.toString()));
    socket.on("close", () => done(answer));
    socket.on("error", failed);
  });
}
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
const HOST = "Host: localhost\r\nConnection: close";

it("the request after a form that is too large is answered on the same connection", async () => {
  const socket = connect(Number(new URL(shop.url).port), "localhost");
  let answers = "";
  socket.on("data", (bytes: Buffer) => (answers += bytes.toString()));
  const form = "x".repeat(500_000);
  socket.write(
    `POST /contact?act=create HTTP/1.1\r\nHost: localhost\r\nOrigin: ${BASE_URL}\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form.slice(1_000)}`,
  );
  await vi.waitUntil(() => answers !== "", 5_000);
  expect(statusOf(answers)).toBe(413);
  // A slow browser reads the answer only after it has sent the whole form.
  await setTimeout(800);
  expect(socket.closed).toBe(false);
  socket.write(form.slice(0, 1_000));
  socket.end(`GET /healthz HTTP/1.1\r\n${HOST}\r\n\r\n`);
  await vi.waitUntil(() => socket.closed, 5_000);
  expect(answers.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"]);
});

it("the payment sandbox refuses large bodies, and forms of other sites", async () => {
  const path = "/payment-sandbox/pay/cs_test_none";
  expect((await visitor.post(path, { number: "4".repeat(100_000) }, { Origin: BASE_URL })).status).toBe(413);
  expect((await visitor.post(path, { number: "4" }, { Origin: "https://evil.example" })).status).toBe(403);
  expect((await visitor.post(path, { number: "4" }, { Origin: BASE_URL })).status).toBe(404);
});

describe("an ambiguous request", () => {
  it.each([
    [
      "two kinds of length",
      `POST /cart/clear HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
    ],
    ["two lengths", `POST /cart/clear HTTP/1.1\r\n${HOST}\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`],
    ["a length that is not a number", `POST /cart/clear HTTP/1.1\r\n${HOST}\r\nContent-Length: +5\r\n\r\nabcde`],
    ["a space before the colon", `GET / HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding : chunked\r\n\r\n`],
    ["an unknown encoding", `POST /cart/clear HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ["a header in two lines", `GET / HTTP/1.1\r\n${HOST}\r\nX-One: a\r\n b: c\r\n\r\n`],
    ["a number that is no address", "GET /shop/ HTTP/1.1\r\nHost: 256.1\r\nConnection: close\r\n\r\n"],
    ["five numbers", "GET /shop/ HTTP/1.1\r\nHost: 1.2.3.4.5\r\nConnection: close\r\n\r\n"],
  ])("is refused: %s", async (_case, request) => {
    expect(statusOf(await raw(request))).toBe(400);
  });
});

it.each(["/", "/cart", "/cart/clear", "/api/products"])("TRACE echoes nothing: %s", async (path) => {
  for (const origin of ["", `Origin: ${BASE_URL}\r\n`]) {
    const answer = await raw(`TRACE ${path} HTTP/1.1\r\n${HOST}\r\n${origin}X-Mine: a-word-to-find\r\n\r\n`);
    expect(statusOf(answer), origin).toBe(405);
    expect(answer).not.toContain("a-word-to-find");
  }
});

describe("files", () => {
  it.each([
    "/assets/",
    "/images/",
    "/.git/config",
    "/.git/HEAD",
    "/.env",
    "/.data/auth-secret",
    "/package.json",
    "/platform/environment.ts",
    "/build/server/index.js",
    "/assets/..%2f..%2f..%2fpackage.json",
    "/images/%2e%2e/%2e%2e/%2e%2e/package.json",
    "/images/..%5c..%5cserver%5cindex.js",
    "/assets/../../server/index.js",
    "/images//etc/passwd",
    "/images/%00.png",
  ])("of the server are neither served nor listed: %s", async (path) => {
    const answer = await raw(`GET ${path} HTTP/1.1\r\n${HOST}\r\n\r\n`);
    expect([400, 404]).toContain(statusOf(answer));
    expect(answer).not.toMatch(/"dependencies"|\[core\]|ref: refs|root:x|Index of|node:http/);
  });

  it("served to browsers have no source maps", async () => {
    const scripts = [...(await (await visitor.fetch("/")).text()).matchAll(/\/assets\/[\w./-]+\.js/g)].map(
      ([path]) => path,
    );
    expect(scripts.length).toBeGreaterThan(2);
    for (const path of new Set(scripts)) {
      expect((await visitor.fetch(`${path}.map`)).status).toBe(404);
      expect(await (await visitor.fetch(path)).text()).not.toContain("sourceMappingURL");
    }
  });
});

/** Its pages come by https, which a proxy ends. */
class Browser extends Visitor {
  override post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    return super.post(path, fields, { Origin: this.url.replace("http:", "https:"), ...headers });
  }
}

async function customer(password: string) {
  const [who, email] = [new Browser(shop.url), someEmail()];
  const { status } = await who.post("/auth?tab=sign-up", signUpForm(email, password));
  if (status === 303) await database.pool.query("UPDATE users SET email_verified = true WHERE email = $1", [email]);
  return { who, email, status };
}
const signIn = (email: string, password: string, who = new Browser(shop.url)) =>
  signInAs({ email, password, visitor: who }, who);

it("if attempts cannot be counted, the right password does not sign in", async () => {
  const { email } = await customer("a password to fail with");
  const who = new Browser(shop.url);
  await database.pool.query("ALTER TABLE rate_limits RENAME TO rate_limits_gone");
  const answer = await signIn(email, "a password to fail with", who);
  await database.pool.query("ALTER TABLE rate_limits_gone RENAME TO rate_limits");
  expect(answer.status).toBeGreaterThanOrEqual(500);
  expect((await who.me()).customer).toBeNull();
  expect((await signIn(email, "a password to fail with", who)).status).toBe(303);
});

describe("a password", () => {
  it("counts exactly as typed: neither trimmed, truncated nor case-folded", async () => {
    const password = "Wheat fields in Morning light";
    const { email } = await customer(password);
    const other = [password.toLowerCase(), password.slice(0, -1), `${password} `, ` ${password}`, `${password}x`];
    for (const tried of other) expect([tried, (await signIn(email, tried)).status]).toEqual([tried, 401]);
    const long = "one hundred and twenty-eight ".repeat(4) + "letters yes!";
    const { email: patient } = await customer(long);
    expect((await signIn(patient, long.slice(0, 72))).status).toBe(401);
    expect((await signIn(patient, `${long}x`)).status).not.toBe(303);
  });

  it("does not expire", async () => {
    const { email } = await customer("as good as ever it was");
    await database.pool.query(
      "UPDATE accounts SET created_at = now() - interval '10 years', updated_at = now() - interval '10 years'",
    );
    const who = new Browser(shop.url);
    expect((await signIn(email, "as good as ever it was", who)).status).toBe(303);
    expect((await who.fetch("/account")).status).toBe(200);
  });

  it("that was reset leaves the second factor in force", async () => {
    const { email, who } = await customer("a password to forget");
    const { rows } = await database.pool.query<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]);
    await giveSecondFactor(database, AUTH_SECRET, rows[0]!.id);
    await who.post("/reset-password", { email });
    const link = linkIn(await emailTo(shop.url, email, "Set a new password"), "/reset-password");
    const password = "a password to keep now";
    const fresh = new Browser(shop.url);
    expect((await fresh.post(link, { password, confirmPassword: password })).headers.get("Location")).toBe("/auth");
    expect((await signIn(email, password, fresh)).headers.get("Location")).toMatch(/^\/auth\/two-factor/);
    expect((await fresh.fetch("/account")).status).toBe(302);
  });
});

/** A form as a browser sends it from `origin` to a shop whose proxy connects by plain HTTP. */
const sendFrom = (path: string, origin: string) =>
  new Visitor(shop.url).post(path, { email: someEmail() }, { Origin: origin, Accept: "*/*" });

describe("a form from the shop's public address", () => {
  it.each(["/reset-password", "/reset-password.data", "/waitlist/join", "/waitlist/join.data"])(
    "is accepted at %s",
    async (path) => {
      const { status } = await sendFrom(path, BASE_URL);
      expect([200, 202]).toContain(status);
    },
  );

  it.each(["https://evil.example", "null", "http://localhost:1", "https://localhost.evil.example", "https://"])(
    "is refused from %s",
    async (origin) => {
      for (const path of ["/reset-password", "/reset-password.data"])
        expect([path, (await sendFrom(path, origin)).status]).toEqual([path, 403]);
    },
  );
});

describe("plain HTTP", () => {
  it("redirects a page to HTTPS", async () => {
    const { status, headers } = await proxied("/shop?color=Frost+White");
    expect([status, headers.get("Location")]).toEqual([308, `${BASE_URL}/shop?color=Frost+White`]);
  });

  it("is refused where nobody would notice a redirect, and logged", async () => {
    const form = { method: "POST", headers: { Origin: BASE_URL }, body: new URLSearchParams({ a: "1" }) };
    expect((await proxied("/auth", form)).status).toBe(403);
    for (const path of ["/api/products", "/personal.data", "/personal", "/sitemap.xml", "/shop.md", "/robots.txt"])
      expect([path, (await proxied(path)).status]).toEqual([path, 403]);
    const line = /^.*"security":"without-encryption".*$/m;
    await expect.poll(() => line.exec(shop.output())?.[0]).toContain('"outcome":"refused"');
  });

  it("is allowed for health checks", async () => {
    expect((await proxied("/healthz")).status).toBe(200);
  });
});
