/**
 * Requests that no browser sends, to every address and form of the shop, by every kind of visitor: thousands at night, and
 * otherwise every third of them.
 */
import { globSync, readFileSync } from "node:fs";
import { request, type IncomingHttpHeaders } from "node:http";
import { connect, type Socket } from "node:net";
import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { hashPassword } from "#shop/accounts/passwords/password-hash.server.ts";
import { makeActor, secretsOf, thingsOf, type Actor, type Role, type Thing } from "../../support/actors.ts";
import { formsOf, type Form } from "../../support/forms.ts";
import { HEAP_ON_SIGNAL, heapOf } from "../../support/heap.ts";
import * as hostile from "../../support/hostile-values.ts";
import { giveSecondFactor } from "../../support/second-factor.ts";
import { QUICK_PASSWORDS } from "../../support/shop.ts";
import { pages, queryNames, serverRoutes } from "../../support/site-map.ts";
import { AUTH_SECRET, useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";
import { aParcel } from "../../support/staff.ts";
import { setUnits } from "../../support/stock.ts";

const { HEADER, PERSONAL_MARK, SCRIPT } = hostile;
const AT_ONCE = 16;
const EVERY = process.env["NIGHTLY"] ? 1 : 3;

const NODE_OPTIONS = `${QUICK_PASSWORDS} ${HEAP_ON_SIGNAL}`;
const { shop, database } = useShop({ TRUST_PROXY: "loopback", NODE_OPTIONS });

const sample = (path: string) =>
  path
    .replace(":slug", "travel-sleeve")
    .replace(":file{.+\\\\.md}", "travel-sleeve.md")
    .replace("${page.path}", "/about")
    .replace("*", "none");
const PATHS = [
  ...new Set([
    ...pages.map(({ path }) => sample(path)),
    ...serverRoutes().map((at) => sample(at.replace(/^\w+ /, ""))),
    "/api/auth/jwks",
    "/api/auth/token",
    ...globSync("*.{ico,svg,png}", { cwd: "build/client" })
      .slice(0, 3)
      .map((file) => `/${file}`),
  ]),
];
const pathFor = (i: number) => PATHS[i % PATHS.length] ?? "/";
const dataOf = (path: string) => (path === "/" ? "/_.data" : path.replace(/(?=\?|$)/, ".data"));

/** A sender: the Cookie header and the forms of that person. */
type Attacker = { cookie: string; forms: Form[] };
type Attack = { method?: string; path: string; headers?: string[]; body?: string | Buffer };
type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

const URLENCODED = "Content-Type: application/x-www-form-urlencoded";
const encode = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");

/** The form with hostile values in some fields. Passwords are left out: hashing them is slow. */
function spoiled({ path, fields }: Form, values: Record<string, string>, i: number): Attack {
  const pairs = Object.entries(fields).map(
    ([name, value]) => `${name}=${values[name] ?? (/password/i.test(name) ? "" : encodeURIComponent(value))}`,
  );
  return { method: "POST", path: i % 4 === 0 ? dataOf(path) : path, headers: [URLENCODED], body: pairs.join("&") };
}

/** Everything that is sent, also ids, names and emails of people who do nothing here. */
function attacks(theirs: string[]): ((who: Attacker) => Attack)[] {
  const all: ((who: Attacker) => Attack)[] = [];
  const ENCODED = [...hostile.ENCODED, ...theirs];
  for (const [f, { fields }] of formsOf().entries()) {
    const names = Object.keys(fields);
    // Each form gets every fourth value in one of its fields, every second if it has many, and some in all of them.
    const step = names.length > 5 ? 2 : 4;
    for (let v = f % step; v < ENCODED.length && names.length > 0; v += step) {
      const n = Math.floor(v / step);
      all.push(({ forms }) => spoiled(forms[f]!, { [names[n % names.length]!]: ENCODED[v]! }, n));
    }
    for (let v = f % 16; v < ENCODED.length && names.length > 1; v += 16) {
      const every = names.map((name, i) => [name, ENCODED[(v + i) % ENCODED.length]!.slice(0, 1_500)]);
      all.push(({ forms }) => spoiled(forms[f]!, Object.fromEntries(every) as Record<string, string>, v >> 4));
    }
  }
  for (const [p, name] of queryNames().entries())
    for (let v = p % 12; v < ENCODED.length; v += 12) {
      const path = v % 24 < 12 ? pathFor(v + 7 * p) : dataOf(pathFor(v + 7 * p));
      all.push(() => ({ path: `${path}?${name}=${ENCODED[v]!.slice(0, 2_000)}` }));
    }
  for (const [i, path] of PATHS.entries()) {
    all.push(...hostile.ENDS.filter((_, e) => (e + i) % 3 === 0).map((end) => () => ({ path: path + end })));
    all.push(
      () => ({ path }),
      () => ({ path: dataOf(path) }),
    );
  }
  all.push(...hostile.ADDRESSES.map((path) => () => ({ path })));
  // Addresses are logged, so they have no names and no emails, as those of the shop have none.
  const segments = hostile.ENCODED.filter((value) => !value.includes(PERSONAL_MARK));
  const folders = ["/images/", "/product/", "/api/products/", "/blog/", "/api/auth/", "/", "/__manifest?p="];
  all.push(...segments.map((value, i) => () => ({ path: folders[i % folders.length]! + value.slice(0, 1_000) })));
  all.push(...hostile.COOKIES.map((cookie, i) => () => ({ path: pathFor(i), headers: [`Cookie: ${cookie}`] })));
  for (let i = 0; i < 4; i++) {
    all.push(...hostile.HEADERS.map((lines, h) => () => ({ path: pathFor(h + 17 * i), headers: lines.split(" | ") })));
    all.push(...hostile.METHODS.map((method, m) => () => ({ path: pathFor(m + 17 * i), method })));
    for (const [b, [body, type, ...more]] of hostile.BODIES.entries()) {
      const headers = [`Content-Type: ${type}`, ...more];
      all.push(({ forms }) => ({ method: "POST", path: forms[(b + 7 * i) % forms.length]!.path, headers, body }));
    }
  }
  for (const [v, value] of hostile.VALUES.entries()) {
    const name = hostile.OPEN_HEADERS[v % hostile.OPEN_HEADERS.length];
    const text = Buffer.from(value.slice(0, 3_000)).toString("latin1");
    all.push(() => ({ path: pathFor(v), headers: [`${name}: ${text.replace(/[^\x20-\x7e\x80-\xff]/g, "")}`] }));
  }
  // At the end, because they sign out and delete accounts.
  all.push(
    ...formsOf().map((_, f) => ({ forms }: Attacker) => {
      const { path, fields } = forms[f]!;
      return { method: "POST", path, headers: [URLENCODED], body: encode(fields) };
    }),
  );
  return all;
}

/** The answer to a request from one of many networks, or from one that sends more than its share. */
function send({ cookie }: Attacker, { method = "GET", path, headers = [], body = "" }: Attack, i: number) {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const usual = [
    `Host: localhost:${new URL(shop.url).port}`,
    `Origin: ${shop.url}`,
    `Accept: ${i % 2 ? "text/html" : "*/*"}`,
    `X-Forwarded-For: ${i % 10 ? `203.${(i >> 8) & 255}.${i & 255}.1` : "198.51.100.7"}`,
    "Connection: close",
    ...(cookie ? [`Cookie: ${cookie}`] : []),
    ...(body.length > 0 || method === "POST" ? [`Content-Length: ${Buffer.byteLength(body)}`] : []),
  ];
  const nameOf = (line: string) => line.split(":")[0]!.toLowerCase();
  const given = new Set(headers.map(nameOf));
  const lines = [...usual.filter((line) => !given.has(nameOf(line))), ...headers];
  const flat = lines.flatMap((line) => [line.split(":")[0]!, line.slice(line.indexOf(":") + 1).trim()]);
  const { port } = new URL(shop.url);
  const asked = request({ port, host: "localhost", agent: false, method, path, headers: flat }, (response) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.on("error", reject);
    response.on("end", () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
    );
  });
  asked.setTimeout(20_000, () => asked.destroy(new Error("no answer within 20 s")));
  asked.on("error", reject).end(body);
  return promise;
}

/** The raw response to bytes that are no complete request. */
function sendBytes(text: string): Promise<string> {
  return new Promise((done) => {
    const socket = connect({ port: Number(new URL(shop.url).port), host: "localhost", allowHalfOpen: true });
    let answer = "";
    socket.setTimeout(20_000, () => socket.destroy());
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString("latin1")));
    for (const event of ["end", "close", "error"]) socket.on(event, () => (socket.destroy(), done(answer)));
    socket.end(text, "latin1");
  });
}

/** True while the shop has the other end of the connection. */
function isHeld(socket: Socket): boolean {
  const hex = (port: number | undefined) => (port ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const ends = new RegExp(`:${hex(socket.remotePort)} [0-9A-F]+:${hex(socket.localPort)} 01 `);
  return ["tcp", "tcp6"].some((family) => ends.test(readFileSync(`/proc/net/${family}`, "utf8")));
}

/** Ends when the shop has left a client that does not read its answers. */
async function readNothing(): Promise<void> {
  const socket = connect(Number(new URL(shop.url).port), "localhost", () =>
    socket.write("GET /shop HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(500)),
  );
  socket.pause().on("error", () => {});
  await vi.waitUntil(() => socket.localPort !== undefined && isHeld(socket), 5_000);
  await vi.waitUntil(() => !isHeld(socket), { timeout: 75_000, interval: 1_000 });
  socket.destroy();
}

const INSIDES =
  /\n\s+at (?:async )?[\w.<>[\] ]+ ?\(|node_modules|\/build\/server|file:\/\/\/(?!etc)|Failed query|syntax error at or near|invalid byte sequence|invalid input syntax|violates \w+ constraint|ECONNREFUSED|better-auth\/|ZodError|(?:Type|Reference|Range|URI)Error:/;
const RUNS = new RegExp(
  `<script>${SCRIPT}|<img src=x onerror=${SCRIPT}|<svg/onload=${SCRIPT}|(?:href|src|action|formaction)="\\s*(?:javascript|data:text/html)`,
  "i",
);
const SHOP_COOKIE = /^(?:__Host-|__Secure-)?polara[\w.-]*=(?=.*; ?HttpOnly)(?=.*; ?SameSite=(?:Lax|Strict))/i;

/** The faults of an answer. */
function faultsOf({ status, headers, body }: Answer): string[] {
  const type = headers["content-type"] ?? "";
  const text = /text|json|xml|javascript/.test(type) && !headers["content-encoding"] ? body.toString("utf8") : "";
  const isHere = (to: string) => {
    const there = URL.canParse(to, shop.url) ? new URL(to, shop.url) : null;
    return there?.origin === shop.url && !there.pathname.startsWith("//");
  };
  const around = (pattern: RegExp) => JSON.stringify(text.slice(Math.max(0, text.search(pattern) - 60)).slice(0, 200));
  const within = text.includes("SingleFetchRedirect") ? /"redirect","([^"]*)"/.exec(text)?.[1] : undefined;
  const targets = [headers.location, within === undefined ? undefined : (JSON.parse(`"${within}"`) as string)];
  // The mailbox shows 200 emails whole; a form's longest answer repeats what was typed.
  const most = /<title>Mailbox|"sentAt"/.test(text.slice(0, 20_000)) ? 20_000_000 : 1_000_000;
  const wrong: [boolean, string][] = [
    [status >= 500, String(status)],
    [HEADER.toLowerCase() in headers, "a header of the attacker's"],
    ...targets.map((to): [boolean, string] => [to !== undefined && !isHere(to), `leads to ${to}`]),
    ...(headers["set-cookie"] ?? []).map((line): [boolean, string] => [!SHOP_COOKIE.test(line), `sets ${line}`]),
    [/html|xml/.test(type) && RUNS.test(text), `runs: ${around(RUNS)}`],
    [type !== "" && headers["x-content-type-options"] !== "nosniff", "no nosniff"],
    [/html/.test(type) && !("content-security-policy" in headers), "no Content-Security-Policy"],
    [INSIDES.test(text), `shows its insides: ${around(INSIDES)}`],
    [body.length > most, `${body.length} bytes`],
  ];
  return wrong.filter(([isWrong]) => isWrong).map(([, fault]) => fault);
}

/** Everybody who was made here, with an order that took no stock. */
const everyone: Actor[] = [];
async function actor(role: Role): Promise<Actor> {
  const made = await makeActor(database.pool, shop.url, AUTH_SECRET, role);
  everyone.push(made);
  // Deleting the account would return stock that was never taken.
  await database.pool.query(
    `WITH sent AS (UPDATE orders SET stage = 'shipped' WHERE id = $1 RETURNING id),
       parcel AS (INSERT INTO shipments (order_id, carrier, tracking_number, state, shipped_at)
         SELECT id, 'ups', $2, 'shipped', now() FROM sent RETURNING id, order_id)
     INSERT INTO shipment_units (shipment_id, order_id, unit)
     SELECT parcel.id, parcel.order_id, number FROM parcel JOIN order_units USING (order_id)`,
    [made.orderId, aParcel(everyone.length).trackingNumber],
  );
  return made;
}

const attackerOf = (who: Actor): Attacker => ({
  cookie: who.visitor.cookieHeader(),
  forms: formsOf({ ...who, email: `${PERSONAL_MARK}@example.com`, session: who.sessionIds[1] ?? "" }),
});

/** Nobody, guests, customers, and a customer who has shown the first factor only. */
async function attackers(): Promise<Attacker[]> {
  const roles = ["guest", "guest", "customer", "customer", "unverified customer", "customer"] as const;
  const made = await Promise.all(roles.map(actor));
  await giveSecondFactor(database, AUTH_SECRET, made.at(-1)?.userId ?? "");
  await database.pool.query("UPDATE sessions SET aal = 'aal1' WHERE user_id = $1", [made.at(-1)?.userId]);
  return [...made.map(attackerOf), { ...attackerOf(made[0]!), cookie: "" }];
}

/** Control characters, changes of direction, invisible characters, and the sign of broken bytes. */
const UNUSABLE =
  "\\u0001-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufffd";
/** Such a character as JSON escapes it. */
const UNUSABLE_ESCAPE = "(?<!\\\\)\\\\u00[01]";
const SEVERAL_LINES =
  /contact_messages\.message|privacy_requests\.note|mailbox_messages\.(?:text|html)|search_documents|products|pgboss|drizzle/;

/** Invalid text in the database, by table and column. */
async function unusableText(): Promise<string[]> {
  const { rows } = await database.pool.query<{ table: string; column: string; type: string }>(
    `SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS table, quote_ident(column_name) AS column,
       data_type AS type
     FROM information_schema.columns
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
       AND data_type IN ('text', 'character varying', 'character', 'jsonb', 'json', 'ARRAY')`,
  );
  expect(rows.length).toBeGreaterThan(40);
  const found: string[] = [];
  for (const { table, column, type } of rows) {
    const one = SEVERAL_LINES.test(`${table}.${column}`) ? `[${UNUSABLE}]` : `[${UNUSABLE}\\u0009\\u000a]`;
    const { rows: bad } = await database.pool.query<{ text: string }>(
      `SELECT ${column}::text AS text FROM ${table} WHERE ${column}::text ~ $1 LIMIT 3`,
      [type.startsWith("json") ? `${one}|${UNUSABLE_ESCAPE}` : one],
    );
    for (const { text } of bad) found.push(`${table}.${column}: ${JSON.stringify(text.slice(0, 300))}`);
  }
  return found;
}

/** Units by product: in stock, or sold by orders that the attackers placed. */
async function unitsBy(text: string, ...values: unknown[]): Promise<Map<string, number>> {
  const { rows } = await database.pool.query<{ id: string; units: number }>(text, values);
  return new Map(rows.map(({ id, units }) => [id, units]));
}
const stock = () => unitsBy("SELECT product_id AS id, inventory_count AS units FROM stock ORDER BY id");
const sold = () =>
  unitsBy(
    `SELECT product_id AS id, count(*)::int AS units FROM order_units
       JOIN order_items ON order_items.id = order_item_id JOIN orders ON orders.id = order_items.order_id
     WHERE (orders.id <> ALL($1) OR order_items.return_id IS NOT NULL) AND status <> 'canceled' AND canceled_at IS NULL GROUP BY 1`,
    everyone.map(({ orderId }) => orderId),
  );

describe("hostile requests", () => {
  const faults = new Map<string, string[]>();
  let sent = 0;
  let bystanders: Actor[] = [];
  let before: Thing[] = [];
  let stockBefore = new Map<string, number>();
  let unusableBefore: string[] = [];
  let heapHalfway = 0;

  beforeAll(async () => {
    bystanders = await Promise.all((["guest", "customer", "unverified customer"] as const).map(actor));
    // With the usual password an attacker who types both would sign in.
    await database.pool.query("UPDATE accounts SET password = $2 WHERE user_id = ANY($1)", [
      bystanders.map(({ userId }) => userId),
      await hashPassword("another staple"),
    ]);
    before = await thingsOf(database.pool, bystanders);
    stockBefore = await stock();
    unusableBefore = await unusableText();
    const who = await attackers();
    const theirs = bystanders.flatMap((one) => secretsOf(one).filter((word) => word !== one.guestId));
    const all = attacks(theirs.map(encodeURIComponent)).filter((_, place) => place % EVERY === 0);
    const work = async () => {
      while (sent < all.length) {
        const i = sent++;
        if (i === all.length >> 1) heapHalfway = await heapOf(shop);
        const attacker = who[i % who.length]!;
        const attack = all[i]!(attacker);
        const found = await send(attacker, attack, i).then(faultsOf, (error: unknown) => [String(error)]);
        const example = JSON.stringify({ i, ...attack }).slice(0, 500);
        for (const fault of found) faults.set(fault, [...(faults.get(fault) ?? []), example]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }, 600_000);

  it.each(hostile.BROKEN)("that are broken get a 4xx, or the connection is closed: %j", async (text) => {
    // Node answers 505 to other versions of HTTP by itself.
    expect(await sendBytes(text)).toMatch(/^(?:$|HTTP\/1\.1 (?:[234]\d\d|505))/);
  });

  it("are answered, never with a 5xx, and with nothing that an answer may not have", () => {
    expect(sent).toBeGreaterThan(3_500 / EVERY);
    expect(
      [...faults].map(([fault, examples]) => `${fault} (${examples.length} times), first by\n${examples[0]}`),
    ).toEqual([]);
  });

  it("leave no invalid text in the database", async () => {
    expect((await unusableText()).filter((one) => !unusableBefore.includes(one))).toEqual([]);
  });

  it("change nothing of other people's", async () => {
    const now = await thingsOf(database.pool, bystanders);
    const without = (things: Thing[], others: Thing[]) =>
      things.filter((thing) => !others.some((other) => isDeepStrictEqual(thing, other)));
    expect(without(before, now)).toEqual([]);
    // Anybody may type anybody's email, to write to support about their order or to join the waitlist: it proves
    // nothing, and what comes of it does not belong to the owner of the email.
    const ids = bystanders.flatMap(({ userId, guestId, orderId }) => [userId, guestId, orderId]);
    const isTheirs = ({ of, row }: Thing) =>
      of !== "contact_messages" &&
      [row.id, row.user_id, row.session_id, row.order_id].some((id) => typeof id === "string" && ids.includes(id));
    const isProven = ({ row }: Thing) => row.email_verified === true || (row.verified_at ?? null) !== null;
    expect(without(now, before).filter((thing) => isTheirs(thing) || isProven(thing))).toEqual([]);
  });

  it("take stock only by orders", async () => {
    const ordered = await sold();
    const expected = new Map([...stockBefore].map(([id, units]) => [id, units - (ordered.get(id) ?? 0)]));
    expect(await stock()).toEqual(expected);
  });

  it("leave the shop as it was: the same process, ready and selling", async () => {
    expect(shop.child.exitCode).toBeNull();
    expect((await fetch(`${shop.url}/readyz`)).status).toBe(200);
    const guest = new Visitor(shop.url);
    await setUnits(database.pool, "travel-sleeve", 50);
    await guest.add("travel-sleeve", 1);
    const answer = await guest.checkout();
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("Order placed!");
  });

  it("leave it no larger: what the second half leaves on the heap, after the first has filled caches and pools", async () => {
    expect((await heapOf(shop)) - heapHalfway).toBeLessThan(10);
  });

  it("put nothing personal and no failure into the log", async () => {
    await fetch(`${shop.url}/the-end-of-it`);
    await expect.poll(() => shop.output()).toContain("/the-end-of-it");
    const lines = shop.output().split("\n");
    expect(lines.filter((line) => line.includes(PERSONAL_MARK)).slice(0, 3)).toEqual([]);
    expect(lines.filter((line) => /"level":(?:50|60)|^\s+at /.test(line)).slice(0, 5)).toEqual([]);
  });

  // Half a minute of waiting.
  it.runIf(process.env["NIGHTLY"])("for answers that are not read lose the connection within a minute", readNothing);
});
