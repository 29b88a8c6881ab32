/** Password hashing at production cost: constant work and bounded load. */
import { scryptSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { signUpForm, someEmail, useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const { shop, database } = useShop({ NODE_OPTIONS: "" });

const BUSY = "The shop is busy signing people in. Please try again in a moment.";
const PASSWORD = "correct horse";
const FRESH = "a kettle under the stairs";

const signIn = (email: string, password: string) =>
  new Visitor(shop.url).post("/auth", { intent: "sign-in", redirect: "/", email, password });
const signUp = (password: string, email = someEmail(), visitor = new Visitor(shop.url)) =>
  visitor.post("/auth?tab=sign-up", { ...signUpForm(email, password), firstName: "Grace", lastName: "Hopper" });

type Customer = { visitor: Visitor; userId: string; email: string; password: string };

async function customer(): Promise<Customer> {
  const who = { visitor: new Visitor(shop.url), email: someEmail(), password: PASSWORD };
  expect((await signUp(who.password, who.email, who.visitor)).status).toBe(303);
  const { rows } = await database.pool.query<{ id: string }>(
    "UPDATE users SET email_verified = true WHERE email = $1 RETURNING id",
    [who.email],
  );
  return { ...who, userId: rows[0]?.id ?? "" };
}

const changePassword = ({ visitor, password: currentPassword }: Customer, password: string) =>
  visitor.post("/account?tab=settings", { intent: "password", currentPassword, password, confirmPassword: password });
/** Transactions of the shop that are open and idle. */
async function transactions(): Promise<string[]> {
  const { rows } = await database.pool.query<{ started: string }>(
    `SELECT concat(pid, ' ', xact_start) AS started FROM pg_stat_activity
     WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
  );
  return rows.map(({ started }) => started);
}

let known: Customer;
beforeAll(async () => {
  known = await customer();
});

/** Seconds of processor time of the shop, which other load hardly changes. */
function cpuSeconds(): number {
  const fields = readFileSync(`/proc/${shop.child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

it("an unknown email and a wrong password get the same answer for the same work", async () => {
  const wrong = { address: () => known.email, last: "", times: [] as number[] };
  const unknown = { address: someEmail, last: "", times: [] as number[] };
  // By turns, and only the least counts, because jobs of the shop add to single attempts.
  for (let n = 0; n < 2; n++) {
    for (const tried of [wrong, unknown]) {
      const address = tried.address();
      const started = cpuSeconds();
      const response = await signIn(address, "wrong horse");
      tried.last = `${response.status} ${(await response.text()).replaceAll(address, "")}`;
      tried.times.push(cpuSeconds() - started);
    }
  }
  expect(unknown.last).toBe(wrong.last);
  expect(wrong.last).toContain("Login failed");
  const ratio = Math.min(...unknown.times) / Math.min(...wrong.times);
  expect(ratio).toBeGreaterThan(0.5);
  expect(ratio).toBeLessThan(2);
});

it("a password is hashed by scrypt with N=2^17, r=8, p=1, exactly as it was typed", async () => {
  const who = await customer();
  const typed = "ﬁne wheat ² ﬁelds";
  await changePassword(who, typed);
  const { rows } = await database.pool.query("SELECT password FROM accounts WHERE user_id = $1", [who.userId]);
  const [, name, cost, salt = "", key = ""] = rows[0].password.split("$");
  expect([name, cost]).toEqual(["scrypt", "ln=17,r=8,p=1"]);
  expect([Buffer.from(salt, "base64").length, Buffer.from(key, "base64").length]).toEqual([16, 32]);
  const derived = scryptSync(typed, Buffer.from(salt, "base64"), 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 });
  expect(derived.equals(Buffer.from(key, "base64"))).toBe(true);
  expect((await signIn(who.email, "fine wheat 2 fields")).status).toBe(401);
  expect((await signIn(who.email, typed)).status).toBe(303);
});

describe("a flood of sign-ins", () => {
  it("waits in a short queue; the rest is refused as busy, and no attempt is counted", async () => {
    const flood = Array.from({ length: 40 }, (_, i) => signIn(`nobody-${i}@example.com`, "wrong password"));
    const step = await known.visitor.post("/account?tab=settings", {
      intent: "delete",
      confirmation: "delete",
      password: "x",
    });
    const answers = await Promise.all(flood);
    const statuses = answers.map(({ status }) => status);
    expect([...new Set(statuses)].toSorted()).toEqual([401, 503]);
    const refused = answers.find(({ status }) => status === 503);
    expect(await refused?.text()).toContain(BUSY);
    expect([403, 503]).toContain(step.status);
    expect((await signIn(known.email, known.password)).status).toBe(303);
  });

  it("of sign-ups keeps no database connection while it waits", async () => {
    const flood = Array.from({ length: 3 }, () => signUp(FRESH));
    // The database answers these requests, so transactions that wait for nothing end meanwhile.
    const pause = async () => {
      for (let n = 0; n < 5; n++) expect((await known.visitor.fetch("/account")).status).toBe(200);
    };
    await pause();
    const held = await transactions();
    await pause();
    expect((await transactions()).filter((one) => held.includes(one))).toEqual([]);
    for (const { status } of await Promise.all(flood)) expect(status).toBe(303);
  });
});
