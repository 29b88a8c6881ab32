/**
 * Thousands of requests that no browser sends, over every address and form of the shop, by every kind of visitor.
 *
 * Chosen by a seed, so that a run can be repeated: HOSTILE_REQUESTS=100000 sends that many (4,000 without it),
 * HOSTILE_SEED=7 others. Addresses come from the site map, parameters from the code that reads them, and the fields of
 * a form from the shop itself, which refuses the names that a form does not have.
 */
import { globSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { hashPassword, symmetricEncrypt } from "better-auth/crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { INTENTS } from "../../../app/routes/account/action-result.ts";
import { makeActor, secretsOf, thingsOf, type Actor, type Role, type Thing } from "../../support/actors.ts";
import { faultsOf } from "../../support/hostile/answers.ts";
import { rightFields, type Attacker, type Form, type Target } from "../../support/hostile/attempt.ts";
import { KINDS, makeAttack } from "../../support/hostile/requests.ts";
import { PERSONAL_MARK } from "../../support/hostile/values.ts";
import { Wire } from "../../support/hostile/wire.ts";
import { QUICK_PASSWORDS } from "../../support/shop.ts";
import { pages, possibleFieldNames, queryNames, serverRoutes } from "../../support/site-map.ts";
import { useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";
import { setUnits } from "../../support/stock.ts";

const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 4_000);
const SEED = Number(process.env.HOSTILE_SEED ?? 10);
const AT_ONCE = 16;
/** Accounts are deleted, signed out and emptied on the way, so there are new ones after so many requests. */
const FRESH_ATTACKERS_EVERY = 2_000;
const MINUTES = 60_000;

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, database } = useShop({
  AUTH_SECRET,
  TRUST_PROXY: "loopback",
  // As `npm start` has it: without, V8 grows its young generation for as long as there is room.
  NODE_OPTIONS: `${QUICK_PASSWORDS} --max-semi-space-size=4`,
});
const port = () => Number(new URL(shop.url).port);

/** Resident memory in megabytes. */
const memory = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${shop.child.pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

const sample = (path: string) =>
  path
    .replace(":slug", "travel-sleeve")
    .replace(":file{.+\\\\.md}", "travel-sleeve.md")
    .replace("${page.path}", "/about")
    .replace("*", "none");

const addresses = () => [
  ...new Set([
    ...pages.map(({ path }) => sample(path)),
    ...serverRoutes().map((at) => sample(at.replace(/^\w+ /, ""))),
    ...["orders", "wishlist", "settings"].map((tab) => `/account?tab=${tab}`),
    "/auth?tab=sign-up",
    "/auth/verify?token=x",
    "/reset-password?token=x",
    "/api/auth/jwks",
    "/api/auth/token",
    ...globSync("*.{ico,svg,png}", { cwd: "build/client" })
      .slice(0, 3)
      .map((file) => `/${file}`),
  ]),
];

/** Every form with the names that it takes, as the shop itself says. */
async function forms(): Promise<Form[]> {
  const paths = pages.filter(({ hasAction }) => hasAction).map(({ path }) => sample(path));
  const variants = ["/auth/verify?token=x", "/reset-password?token=x"];
  return Promise.all(
    [...paths, ...variants].map(async (path) => {
      const { visitor } = await actor("customer");
      const takes = async (name: string) => {
        const answer = await visitor.post(path.replace(/(?=\?|$)/, ".data"), { [name]: "" });
        return !(await answer.text()).includes("a field that does not belong to it");
      };
      const fields: string[] = [];
      for (const name of possibleFieldNames()) if (await takes(name)) fields.push(name);
      return { path, fields };
    }),
  );
}

/** Everybody who was made here, with an order that took no stock. */
const everyone: Actor[] = [];
async function actor(role: Role): Promise<Actor> {
  const made = await makeActor(database.pool, shop.url, AUTH_SECRET, role);
  everyone.push(made);
  // Else deleting the account would give back what was never taken.
  await database.pool.query("UPDATE orders SET status = 'shipped' WHERE id = $1", [made.orderId]);
  return made;
}

function attacker({ visitor, lineId, productId, checkoutKey }: Actor): Attacker {
  const right = rightFields({
    productId,
    itemId: lineId,
    checkoutKey,
    seen: `${productId}:2:1900`,
    guestWishlist: JSON.stringify([productId]),
    intent: [...INTENTS, "sign-in", "sign-up", "google", "take-over"].join(" "),
  });
  return { cookie: visitor.cookieHeader(), right };
}

/** Nobody, a guest, customers, and a customer who has shown the first factor only. */
async function attackers(): Promise<Attacker[]> {
  const made = await Promise.all(
    (["guest", "guest", "customer", "customer", "unverified customer", "customer"] as const).map(actor),
  );
  const nobody = { ...attacker(made[0]!), cookie: "" };
  const waiting = made.at(-1)!;
  const sealed = (data: string) => symmetricEncrypt({ key: AUTH_SECRET, data });
  await database.pool.query("UPDATE users SET two_factor_enabled = true WHERE id = $1", [waiting.userId]);
  await database.pool.query("INSERT INTO two_factors (user_id, secret, backup_codes) VALUES ($1, $2, $3)", [
    waiting.userId,
    await sealed("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"),
    await sealed(JSON.stringify(["abcde-fghij"])),
  ]);
  return [...made.map(attacker), nobody];
}

/** Control characters, what turns the direction around, what nobody sees, and what stands for broken bytes. */
const UNUSABLE =
  "\\u0001-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufffd";
/** In JSON such a character may stand as a number. */
const UNUSABLE_NUMBER = "(?<!\\\\)\\\\u00[01]";
const SEVERAL_LINES =
  /contact_messages\.message|mailbox_messages\.(?:text|html)|search_documents|products|pgboss|drizzle/;

/** What the database holds that no text may: by table and column. */
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
      [type.startsWith("json") ? `${one}|${UNUSABLE_NUMBER}` : one],
    );
    for (const { text } of bad) found.push(`${table}.${column}: ${JSON.stringify(text.slice(0, 300))}`);
  }
  return found;
}

const stock = async () => {
  const { rows } = await database.pool.query<{ id: string; units: number }>(
    "SELECT product_id AS id, inventory_count AS units FROM stock ORDER BY id",
  );
  return new Map(rows.map(({ id, units }) => [id, units]));
};

describe(`${REQUESTS} hostile requests (seed ${SEED})`, () => {
  const faults = new Map<string, string[]>();
  const tally: Record<string, Record<string, number>> = {};
  let bystanders: Actor[] = [];
  let before: Thing[] = [];
  let stockBefore = new Map<string, number>();
  let unusableBefore: string[] = [];
  let target: Target;
  const rss = { start: 0, middle: 0, end: 0 };
  let seconds = 0;

  const blame = (fault: string, example: string) => faults.set(fault, [...(faults.get(fault) ?? []), example]);

  beforeAll(async () => {
    bystanders = await Promise.all((["guest", "customer", "unverified customer"] as const).map(actor));
    // Else an attacker who happens on both signs in to it, as they may.
    await database.pool.query("UPDATE accounts SET password = $2 WHERE user_id = ANY($1)", [
      bystanders.map(({ userId }) => userId),
      await hashPassword("another staple"),
    ]);
    before = await thingsOf(database.pool, bystanders);
    stockBefore = await stock();
    unusableBefore = await unusableText();
    target = {
      origin: shop.url,
      paths: addresses(),
      forms: await forms(),
      parameters: queryNames(),
      attackers: [],
      // Whoever has a guest's id is that guest.
      theirs: bystanders.flatMap((one) => secretsOf(one).filter((word) => word !== one.guestId)),
    };

    let next = 0;
    let refreshing: Promise<void> | null = null;
    const refresh = async () => {
      target.attackers = await attackers();
    };
    await refresh();
    rss.start = memory();
    const started = performance.now();
    const work = async () => {
      const wire = new Wire(port());
      while (next < REQUESTS) {
        const number = next++;
        if (number > 0 && number % FRESH_ATTACKERS_EVERY === 0) refreshing = refresh();
        await refreshing;
        if (number === REQUESTS >> 1) rss.middle = memory();
        const attack = makeAttack(SEED, number, target);
        const what = `#${number} ${attack.kind}: ${attack.bytes.toString("latin1").slice(0, 700)}`;
        const told = (tally[attack.kind] ??= {});
        try {
          const answer = await wire.send(attack.bytes, attack);
          const status = String(answer?.status ?? "closed");
          told[status] = (told[status] ?? 0) + 1;
          if (answer) for (const fault of faultsOf(attack, answer, shop.url)) blame(fault, what);
          else if (attack.whole) blame("closed without an answer", what);
        } catch (error) {
          blame(String(error), what);
        }
      }
      wire.close();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    seconds = (performance.now() - started) / 1000;
    rss.end = memory();
    console.log(
      `${REQUESTS} hostile requests (seed ${SEED}) in ${seconds.toFixed(1)} s; RSS ${Object.values(rss).map(Math.round).join(" → ")} MB\n` +
        KINDS.map((kind) => `  ${kind}: ${JSON.stringify(tally[kind] ?? {})}`).join("\n"),
    );
  }, 60 * MINUTES);

  it("reach every form with the fields that it has", () => {
    const buttons = ["/cart/clear", "/orders/claim", "/admin/join"];
    const missing = target.forms.filter(({ path, fields }) => fields.length === 0 && !buttons.includes(path));
    expect(missing).toEqual([]);
    expect(target.forms.find(({ path }) => path === "/checkout")?.fields).toContain("shippingPostalCode");
    expect(target.forms.find(({ path }) => path === "/account")?.fields).toContain("currentPassword");
    expect(Object.keys(tally).toSorted()).toEqual(KINDS.toSorted());
  });

  it("are answered, never with a 5xx, and with nothing that should not be in an answer", () => {
    expect(
      [...faults].map(([fault, examples]) => `${fault} (${examples.length} times), first by\n${examples[0]}`),
    ).toEqual([]);
  });

  it("leave nothing in the database that no text may hold", async () => {
    expect((await unusableText()).filter((one) => !unusableBefore.includes(one))).toEqual([]);
  });

  it("change nothing of other people's", async () => {
    const now = await thingsOf(database.pool, bystanders);
    const without = (things: Thing[], others: Thing[]) =>
      things.filter((thing) => !others.some((other) => isDeepStrictEqual(thing, other)));
    expect(without(before, now)).toEqual([]);
    // Anybody may type anybody's address, to write to support or to join the waitlist. It proves nothing by that, and
    // what comes of it is not the things of whoever has the address.
    const ids = bystanders.flatMap(({ userId, guestId, orderId }) => [userId, guestId, orderId]);
    const isTheirs = ({ row }: Thing) =>
      [row.id, row.user_id, row.session_id, row.order_id].some((id) => typeof id === "string" && ids.includes(id));
    const isProven = ({ row }: Thing) => row.email_verified === true || (row.verified_at ?? null) !== null;
    expect(without(now, before).filter((thing) => isTheirs(thing) || isProven(thing))).toEqual([]);
  });

  it("take stock only by orders", async () => {
    const { rows } = await database.pool.query<{ id: string; units: number }>(
      `SELECT product_id AS id, sum(quantity)::int AS units FROM order_items JOIN orders ON orders.id = order_id
       WHERE order_id <> ALL($1) AND status <> 'canceled' GROUP BY 1`,
      [everyone.map(({ orderId }) => orderId)],
    );
    const sold = new Map(rows.map(({ id, units }) => [id, units]));
    const expected = new Map([...stockBefore].map(([id, units]) => [id, units - (sold.get(id) ?? 0)]));
    expect(await stock()).toEqual(expected);
  });

  it("leave the shop as it was: the same process, ready, selling, and no larger", async () => {
    expect(shop.child.exitCode).toBeNull();
    expect((await fetch(`${shop.url}/readyz`)).status).toBe(200);
    const guest = new Visitor(shop.url);
    await setUnits(database.pool, "travel-sleeve", 50);
    await guest.add("travel-sleeve", 1);
    const answer = await guest.checkout();
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("Order placed!");
    // The first half fills caches, pools and V8's heap; what a request leaves behind shows in the second.
    // A password that is being hashed takes 128 MB for a moment.
    await expect.poll(() => memory() - rss.middle).toBeLessThan(60);
  });

  it("put nothing personal and no failure into the log", async () => {
    await fetch(`${shop.url}/the-end-of-it`);
    await expect.poll(() => shop.output()).toContain("/the-end-of-it");
    const lines = shop.output().split("\n");
    expect(lines.filter((line) => line.includes(PERSONAL_MARK)).slice(0, 3)).toEqual([]);
    expect(lines.filter((line) => /"level":(?:50|60)|^\s+at /.test(line)).slice(0, 5)).toEqual([]);
  });
});
