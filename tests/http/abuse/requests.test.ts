/** Addresses, hosts, forms and connections as no page of the shop sends them. */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { formsOf } from "../../support/forms.ts";
import { useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const { shop, visitor, actor } = useShop();

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
/** The shop's resident memory in megabytes. */
const memory = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${shop.child.pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

it.each([...FORMS])("the form of %s refuses what its page does not send, before parsing", async (path, field) => {
  // Whatever is refused changes nothing, so one customer sends it all.
  const { visitor: who } = await (sender ??= actor("customer"));
  const send = async (body: string, type = "application/x-www-form-urlencoded") => {
    const headers = { Origin: shop.url, Accept: "text/html", "Content-Type": type };
    const response = await who.fetch(path, { method: "POST", body, headers });
    const text = await response.text();
    expect(text).not.toMatch(/echoed-word|surprise/);
    expect(text.length).toBeLessThan(100_000);
    return response.status;
  };
  const before = memory();
  for (const name of ["x[5000000]", "email[4000000]", "a.b.c[99999999].d", "__proto__[x]", "surprise"])
    expect([name, await send(`${field}=a&${encodeURIComponent(name)}=echoed-word`)]).toEqual([name, 400]);
  expect(await send(Array.from({ length: 5_000 }, (_, i) => `f${i}=1`).join("&"))).toBe(400);
  expect(await send(`${field}=${"a".repeat(30_000)}`)).toBe(400);
  const twice = await send(`${field}=one&${field}=two`);
  if (/^\/wishlist\/(?:add|remove)/.test(path)) expect(twice).not.toBe(500);
  else expect(twice).toBe(400);
  for (const type of ["application/json", "text/plain", "multipart/form-data; boundary=x", "multipart/form-data"])
    expect([type, await send(`--x\r\n${field}`, type)]).toEqual([type, 415]);
  expect(memory() - before).toBeLessThan(100);
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
