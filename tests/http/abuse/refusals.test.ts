/** Whoever asks for what cannot be, or goes away, has not made the shop fail; what they call themselves is kept in bounds. */
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { makeActor } from "../../support/actors.ts";
import { useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, database } = useShop({ AUTH_SECRET });

/** What the log says until it tells of `path`. */
async function logUntil(path: string): Promise<string[]> {
  await fetch(shop.url + path);
  await expect.poll(() => shop.output()).toContain(path);
  return shop.output().split("\n");
}
const failures = (lines: string[]) => lines.filter((line) => /"level":(?:50|60)|"status":5\d\d|^\s+at /.test(line));

describe("the log of failures", () => {
  it("has no method that a page does not take", async () => {
    const visitor = new Visitor(shop.url);
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "PROPFIND"])
      for (const path of ["/about", "/none", "/shop.data", "/cart/add"]) {
        const { status } = await visitor.fetch(path, { method, headers: { Origin: shop.url } });
        expect(status).toBeGreaterThanOrEqual(400);
        expect(status).toBeLessThan(500);
      }
    expect(failures(await logUntil("/after-the-methods"))).toEqual([]);
  });

  it("has no address that cannot be read", async () => {
    for (const path of ["/product/%ff", "/none/%", "/none/%c0%af.data"])
      expect((await fetch(shop.url + path)).status).toBeLessThan(500);
    expect(failures(await logUntil("/after-the-addresses"))).toEqual([]);
  });

  it("has nobody who went away in the middle of a form", async () => {
    const { port } = new URL(shop.url);
    for (const path of ["/support", "/auth", "/cart/add", "/checkout", "/account", "/waitlist/join", "/support.data"]) {
      for (const frame of ["Content-Length: 500", "Transfer-Encoding: chunked"]) {
        const socket = connect({ port: Number(port), host: "localhost" });
        const closed = new Promise((done) => socket.once("close", done));
        socket.resume();
        socket.end(
          `POST ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: ${shop.url}\r\n` +
            `Content-Type: application/x-www-form-urlencoded\r\n${frame}\r\n\r\n5\r\nemail`,
        );
        await closed;
      }
    }
    expect(failures(await logUntil("/after-the-aborted"))).toEqual([]);
  });
});

it("a link that is none does not fail the shop, whatever is in it", async () => {
  for (const token of ["\u0301", "\u2028</script>", "\u{1f600}", "a&b=c#d"]) {
    const path = `/auth/verify?token=${encodeURIComponent(token)}`;
    const answer = await new Visitor(shop.url).post(path, { password: "correct horse" });
    expect(answer.status).toBeLessThan(500);
    const location = answer.headers.get("Location");
    if (location === null) continue;
    const back = new URL(location, shop.url);
    expect([back.pathname, back.searchParams.get("token")]).toEqual(["/auth/verify", token]);
  }
});

it("a session that ends while it is being prolonged is nobody's", async () => {
  const { visitor } = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
  // What a sign-out elsewhere does between the two statements: there is no row to prolong.
  await database.pool.query(`CREATE FUNCTION ended() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`);
  await database.pool.query("CREATE TRIGGER ended BEFORE UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION ended()");
  try {
    const answer = await visitor.fetch("/personal.data");
    expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining("emailVerified")]);
  } finally {
    await database.pool.query("DROP TRIGGER ended ON sessions");
  }
});

it("a browser's description of itself is kept without control characters and not for pages", async () => {
  const { email, password, userId } = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
  const { status } = await new Visitor(shop.url).post(
    "/auth",
    { intent: "sign-in", email, password },
    { "User-Agent": `Mozilla/5.0 (X11; Linux x86_64) \u0085\u009bFirefox/140 ${"x".repeat(7_000)}` },
  );
  expect(status).toBe(303);
  const { rows } = await database.pool.query<{ agent: string }>(
    "SELECT user_agent AS agent FROM sessions WHERE user_id = $1 AND user_agent IS NOT NULL",
    [userId],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]!.agent).toMatch(/^Mozilla\/5\.0 \(X11; Linux x86_64\) Firefox\/140 x+$/);
  expect(rows[0]!.agent.length).toBeLessThanOrEqual(400);
});
