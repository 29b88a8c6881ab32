/** Addresses, hosts, forms and connections as no page of the shop sends them. */
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formsOf } from "../../support/forms.ts";
import { startShop, type Shop } from "../../support/shop.ts";
import { useShop } from "../../support/use-shop.ts";
import { Caller, Visitor } from "../../support/visitor.ts";

const { shop, visitor, database, actor } = useShop();
const secure = useShop({ BASE_URL: "https://localhost", TRUST_PROXY: "loopback" });

const words = (text: string) => text.trim().split(/\s+/);
const statusOf = async (path: string, init?: RequestInit) => (await fetch(shop.url + path, init)).status;

describe("an address with NUL, CR or LF", () => {
  const paths = words(`/ /shop /product/travel-sleeve /search /search.json /auth /auth/verify /cart /checkout /account
    /reset-password /blog/x /mailbox /personal /sitemap.xml /none /_.data /shop.data /product/travel-sleeve.data
    /search.data /auth/verify.data /api/products /api/me /api/auth/token /feeds/google.xml /llms.txt /healthz`);
  const queries = words("q=%00 token=%00 token=%0d%0a redirect=%0D%0ASet-Cookie:%20a=b a%00=1 tab=x%0Ay");

  it.each(paths)("answers 400 in the query of %s", async (path) => {
    for (const query of queries) {
      const answer = await fetch(`${shop.url}${path}?${query}`, { redirect: "manual" });
      expect([query, answer.status]).toEqual([query, 400]);
      expect(await answer.text()).toContain("Check the link");
      expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
      expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
    }
  });

  it.each(words("%00 a%00b a%0d%0ab %0A %00.md %00.data"))("answers 400 as a path: %s", async (slug) => {
    for (const folder of words("/product/ /blog/ /api/products/ /api/auth/ /assets/ /images/ /none/"))
      expect([folder, await statusOf(folder + slug)]).toEqual([folder, 400]);
  });

  it("answers 400 to a posted form, and a problem from the API", async () => {
    const form = { method: "POST", headers: { Origin: shop.url } };
    for (const path of words("/reset-password?token=%00 /auth?redirect=%0d%0a /cart/add?x=%00"))
      expect([path, await statusOf(path, form)]).toEqual([path, 400]);
    const answer = await fetch(`${shop.url}/api/products/%00`);
    expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
    expect(await answer.json()).toMatchObject({ status: 400 });
  });
});

describe("percent-encoding", () => {
  it.each(words("% %zz %e0%a4%a %ff %ed%a0%80 %c0%80 %c0%af a%2"))("answers 404 when malformed: %s", async (slug) => {
    for (const folder of words("/product/ /api/products/ /assets/ /images/ /none/"))
      expect([folder, await statusOf(folder + slug)]).toEqual([folder, 404]);
    // An unknown post shows the newest one.
    expect(await statusOf(`/blog/${slug}`)).toBeLessThan(500);
  });

  it.each([
    ["/shop?utm_campaign=50%off", 200],
    ["/search?q=50%", 200],
    ["/product/%74ravel-sleeve", 200],
    ["/product/caf%C3%A9", 404],
    ["/product/%2500", 404],
    ["/product/%250d%250a", 404],
    ["/search?q=%2500", 200],
    ["/search?q=sleeve%20%26%20dock", 200],
  ])("is decoded once when valid: %s", async (path, status) => expect(await statusOf(path)).toBe(status));
});

it.each<[status: number, ...lines: string[]]>([
  ...words("localhost LOCALHOST:3000 shop.example 127.0.0.1:8080 [::1]:3000").map(
    (host) => [200, `Host: ${host}`] as [number, string],
  ),
  [400],
  ...words("Host:evil.example Host:shop.example hOST:evil.example").map(
    (second) => [400, "Host: shop.example", second] as [number, string, string],
  ),
  ...[
    "",
    "a b",
    'x"><script>',
    ...words("shop.example/path user@shop.example a,b shop.example:port"),
    ...words("shop.example:999999 %65vil.example exämple [::1 [x] shop.example#"),
  ].map((host) => [400, `Host: ${host}`] as [number, string]),
])("a request with exactly one valid Host is answered, others with 400: %i %s %s", async (status, ...lines) => {
  const answer = await new Promise<string>((done, failed) => {
    const socket = connect(Number(new URL(shop.url).port), "localhost");
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    socket.on("end", () => done(text));
    socket.on("error", failed);
    socket.write(`${["GET /cart HTTP/1.1", ...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
  });
  expect(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])).toBe(status);
});

/** Every address that reads a form, with one of its fields. An order's pages are seen by its owner first. */
const FORMS = new Map(
  formsOf()
    .map(({ path, fields }) => [path, Object.keys(fields)[0] ?? ""] as const)
    .filter(([path, field]) => field !== "" && !path.startsWith("/orders/:orderId")),
);

let sender: ReturnType<typeof actor> | undefined;

describe.each([...FORMS])("the form of %s", (path, field) => {
  const send = async (body: string, type = "application/x-www-form-urlencoded") => {
    const headers = { Origin: shop.url, Accept: "text/html", "Content-Type": type };
    // Whatever is refused changes nothing, so one customer sends it all.
    const { visitor: who } = await (sender ??= actor("customer"));
    const response = await who.fetch(path, { method: "POST", body, headers });
    return { status: response.status, text: await response.text() };
  };
  /** The shop's resident memory in megabytes. */
  const memory = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${shop.child.pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

  it("refuses an unknown field name before parsing", async () => {
    const before = memory();
    for (const name of ["x[5000000]", "email[4000000]", "a.b.c[99999999].d", "__proto__[x]", "surprise"]) {
      const { status, text } = await send(`${field}=a&${encodeURIComponent(name)}=echoed-word`);
      expect([name, status]).toEqual([name, 400]);
      expect(text).not.toMatch(/echoed-word|surprise/);
      expect(text.length).toBeLessThan(100_000);
    }
    expect(memory() - before).toBeLessThan(100);
  });

  it("refuses too many, too long and repeated fields, and other content types", async () => {
    const many = Array.from({ length: 5_000 }, (_, i) => `f${i}=1`).join("&");
    expect((await send(many)).status).toBe(400);
    expect((await send(`${field}=${"a".repeat(30_000)}`)).status).toBe(400);
    const twice = await send(`${field}=one&${field}=two`);
    if (/^\/wishlist\/(?:add|remove)/.test(path)) expect(twice.status).not.toBe(500);
    else expect(twice.status).toBe(400);
    for (const type of ["application/json", "text/plain", "multipart/form-data; boundary=x", "multipart/form-data"])
      expect([type, (await send(`--x\r\n${field}`, type)).status]).toEqual([type, 415]);
  });
});

describe("an answer", () => {
  it.each(words("/api/products /api/me /sitemap.xml /shop.md /robots.txt"))(
    "that is no page may run nothing when a browser opens it: %s",
    async (path) => {
      const policy = (await visitor.fetch(path)).headers.get("Content-Security-Policy");
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("; sandbox");
    },
  );

  it.each([
    ["/about", 200, "text/html; charset=utf-8"],
    ["/no/such/page", 404, "text/html; charset=utf-8"],
    ["/robots.txt", 200, "text/plain; charset=utf-8"],
    ["/shop.md", 200, "text/markdown; charset=utf-8"],
    ["/sitemap.xml", 200, "application/xml; charset=utf-8"],
    ["/feeds/google.xml", 200, "application/xml; charset=utf-8"],
    ["/cart.data", 200, "text/x-script; charset=utf-8"],
    ["/api/products", 200, "application/json; charset=utf-8"],
    ["/personal", 200, "application/json"],
    ["/favicon.svg", 200, "image/svg+xml; charset=utf-8"],
    ["/images/og.jpg", 200, "image/jpeg"],
    ["/assets/none.js", 404, "text/plain; charset=utf-8"],
  ])("declares its content type and charset: %s %i %s", async (path, status, type) => {
    const answer = await visitor.fetch(path);
    expect([answer.status, answer.headers.get("Content-Type")?.toLowerCase()]).toEqual([status, type]);
  });

  it.each(
    words(`/personal /personal.data /personal.data?_routes=routes%2Fvisitor-state /personal/ /personal/_.data
      /PERSONAL.data /%70ersonal.data /cart.data /checkout.data /account.data /auth.data /search.data?q=filter
      /orders/find.data /api/auth/token /account/download.data`),
  )("with personal data is cached by nobody: %s", async (path) => {
    const guest = new Visitor(shop.url);
    await guest.add("travel-sleeve");
    for (const method of ["GET", "HEAD"]) {
      const control = (await guest.fetch(path, { method })).headers.get("Cache-Control");
      if (path === "/api/auth/token") expect(control).toMatch(/no-store/);
      else expect([method, control]).toEqual([method, "private, no-store"]);
    }
  });
});

describe("plain HTTP", () => {
  const plain = { "X-Forwarded-Proto": "http" };
  const form = { method: "POST", headers: { Origin: "https://localhost" }, body: new URLSearchParams({ a: "1" }) };
  const at = (path: string, init: { headers?: Record<string, string> } = {}) =>
    fetch(secure.shop.url + path, { redirect: "manual", ...init, headers: { ...plain, ...init.headers } });

  it("redirects a page to HTTPS", async () => {
    const { status, headers } = await at("/shop?color=Frost+White");
    expect([status, headers.get("Location")]).toEqual([308, "https://localhost/shop?color=Frost+White"]);
  });

  it.each([
    ...words("/api/products /personal.data /personal /feeds/google.xml /sitemap.xml /shop.md /robots.txt").map(
      (path) => [path, {}] as const,
    ),
    ["/auth", form] as const,
  ])("is refused where nobody would notice a redirect, and logged: %s", async (path, init) => {
    expect((await at(path, init)).status).toBe(403);
    const line = /^.*"security":"without-encryption".*$/m;
    await expect.poll(() => line.exec(secure.shop.output())?.[0]).toContain('"outcome":"refused"');
  });

  it("is recognized by a trusted proxy's header only, and allowed for health checks", async () => {
    expect((await at("/healthz")).status).toBe(200);
    expect(await statusOf("/shop", { headers: plain })).toBe(200);
  });
});

describe("writes of one network", () => {
  const WRITES_PER_MINUTE = 300;
  let shops: Shop[] = [];
  beforeAll(async () => {
    const env = { DATABASE_URL: database.url, RATE_LIMIT_SCALE: "1", TRUST_PROXY: "loopback", WORKER: "outside" };
    shops = await Promise.all([startShop(env), startShop(env)]);
  });
  afterAll(() => Promise.all(shops.map((one) => one.stop())));

  const write = ({ url }: Shop, address: string) =>
    fetch(`${url}/cart/clear`, {
      method: "POST",
      body: new URLSearchParams(),
      redirect: "manual",
      headers: { Origin: url, "X-Forwarded-For": address },
    });

  it.each([
    ["one address", () => "203.0.113.5", "203.0.113.6"],
    ["the addresses of one IPv6 line", (i: number) => `2001:db8:7:7::${i.toString(16)}`, "2001:db8:7:8::1"],
  ])("share one limit on two processes: %s", async (_what, address, other) => {
    const answers: Response[] = [];
    for (let i = 0; i < 2 * WRITES_PER_MINUTE; i += 4)
      answers.push(...(await Promise.all([0, 1, 2, 3].map((j) => write(shops[j % 2]!, address(i + j))))));
    const passed = answers.filter(({ status }) => status !== 429).length;
    expect(passed).toBeGreaterThanOrEqual(WRITES_PER_MINUTE);
    expect(passed).toBeLessThan(WRITES_PER_MINUTE * 1.4);
    const last = answers.at(-1)!;
    expect(last.status).toBe(429);
    expect(Number(last.headers.get("Retry-After"))).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 60);
    expect(await last.text()).toBe("That was a lot at once. Wait a minute, then try again.");
    for (const one of shops) expect((await write(one, other)).status).not.toBe(429);
    const reading = { headers: { "X-Forwarded-For": address(0) } };
    expect((await fetch(`${shops[0]?.url}/shop`, reading)).status).toBe(200);
  });

  it("half-sent forms of four networks, at the normal limits, keep nobody from buying, and end after ten seconds", async () => {
    const [one] = shops;
    const head = (path: string, address: string, body: string) =>
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nOrigin: ${one!.url}\r\nX-Forwarded-For: ${address}\r\nConnection: close\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\n${body}`;
    const halves = [
      (address: string) => head("/cart/add", address, "Content-Length: 90\r\n\r\nproductId="),
      (address: string) => head("/waitlist/unsubscribe?k=none", address, "Content-Length: 90\r\n\r\nList-"),
    ];
    const answers: string[] = [];
    const held = Array.from({ length: 4 * WRITES_PER_MINUTE }, (_, i) => {
      const form = halves[i % halves.length]!(`203.0.113.${10 + (i % 4)}`);
      const socket = connect(Number(new URL(one!.url).port), "localhost", () => socket.write(form));
      socket.on("data", (bytes: Buffer) => answers.push(bytes.toString()));
      return new Promise<void>((done) => socket.once("close", () => done()));
    });
    const connections = () => readdirSync(`/proc/${one!.child.pid}/fd`).length;
    await expect.poll(connections, { timeout: 5_000 }).toBeGreaterThan(held.length);
    const buyer = new Caller(one!.url, "198.51.100.1");
    expect((await buyer.add("travel-sleeve")).status).toBe(303);
    expect((await buyer.checkout()).status).toBe(200);
    expect((await buyer.fetch("/search?q=bowl")).status).toBe(200);
    expect(answers).toEqual([]);
    await Promise.all(held);
    expect(answers).toHaveLength(held.length);
    expect(new Set(answers.map((answer) => answer.slice(0, 12)))).toEqual(new Set(["HTTP/1.1 408"]));
  });
});

it.each(["\u0301", "\u2028</script>", "\u{1f600}", "a&b=c#d"])(
  "a malformed verification token is refused: %j",
  async (token) => {
    const path = `/auth/verify?token=${encodeURIComponent(token)}`;
    const answer = await new Visitor(shop.url).post(path, { password: "correct horse" });
    expect(answer.status).toBeGreaterThanOrEqual(300);
    expect(answer.status).toBeLessThan(500);
    const location = answer.headers.get("Location");
    if (location === null) return;
    const back = new URL(location, shop.url);
    expect([back.pathname, back.searchParams.get("token")]).toEqual(["/auth/verify", token]);
  },
);
