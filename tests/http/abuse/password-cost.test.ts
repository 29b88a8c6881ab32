/** What it costs to hash a password, in shops that hash as `npm start` has it: nobody reads it from a clock or floods with it. */
import { randomBytes, scryptSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hashPassword as hashOfBefore } from "better-auth/crypto";
import { makeResetToken } from "../../../shop/accounts/passwords/reset-token.server.ts";
import { TRUE_PASSWORDS } from "../../support/shop.ts";
import { useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const { shop, database } = useShop(TRUE_PASSWORDS);

const BUSY = "The shop is busy signing people in. Please try again in a moment.";
const PASSWORD = "correct horse";
const FRESH = "a kettle under the stairs";

let made = 0;
const someEmail = () => `grace.hopper-${made++}@example.com`;
const signIn = (email: string, password: string) =>
  new Visitor(shop.url).post("/auth", { intent: "sign-in", redirect: "/", email, password });
const signUp = (password: string, email = someEmail(), visitor = new Visitor(shop.url)) =>
  visitor.post("/auth?tab=sign-up", {
    intent: "sign-up",
    redirect: "/",
    firstName: "Grace",
    lastName: "Hopper",
    email,
    password,
    confirmPassword: password,
    terms: "on",
  });

type Customer = { visitor: Visitor; userId: string; email: string; password: string };

/** Signed up, signed in and verified. */
async function customer(): Promise<Customer> {
  const who = { visitor: new Visitor(shop.url), email: someEmail(), password: PASSWORD };
  expect((await signUp(who.password, who.email, who.visitor)).status).toBe(303);
  const { rows } = await database.pool.query<{ id: string }>(
    "UPDATE users SET email_verified = true WHERE email = $1 RETURNING id",
    [who.email],
  );
  return { ...who, userId: rows[0]?.id ?? "" };
}

const newLink = async ({ userId }: Customer) => `/reset-password?token=${await makeResetToken(database.db, userId)}`;
const changePassword = ({ visitor, password: currentPassword }: Customer, password: string) =>
  visitor.post("/account?tab=settings", { intent: "password", currentPassword, password, confirmPassword: password });
const count = async (query: string) =>
  Number((await database.pool.query<{ count: string }>(`SELECT count(*) FROM ${query}`)).rows[0]?.count);

it("answers alike for an unknown email and a wrong password, in words and in time", async () => {
  const { email } = await customer();
  const known = { address: () => email, last: "", times: [] as number[] };
  const unknown = { address: someEmail, last: "", times: [] as number[] };
  // By turns, and only the fastest count: whatever else the machine does slows both down.
  for (let n = 0; n < 5; n++) {
    for (const tried of [known, unknown]) {
      const address = tried.address();
      const started = performance.now();
      const response = await signIn(address, "wrong horse");
      tried.last = `${response.status} ${(await response.text()).replaceAll(address, "")}`;
      tried.times.push(performance.now() - started);
    }
  }
  expect(unknown.last).toBe(known.last);
  expect(known.last).toContain("Login failed");
  const ratio = Math.min(...unknown.times) / Math.min(...known.times);
  expect(ratio).toBeGreaterThan(0.5);
  expect(ratio).toBeLessThan(2);
});

/** A hash as the shop made them while it brought passwords into the form NFKC. */
function hashAsFolded(password: string): string {
  const salt = randomBytes(16);
  const options = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };
  const key = scryptSync(password.normalize("NFKC"), salt, 32, options);
  const [saltText, keyText] = [salt, key].map((bytes) => bytes.toString("base64").replaceAll("=", ""));
  return `$scrypt$ln=17,r=8,p=1$${saltText}$${keyText}`;
}

describe("a stored password", () => {
  const storedOf = async (userId: string) =>
    (await database.pool.query<{ password: string }>("SELECT password FROM accounts WHERE user_id = $1", [userId]))
      .rows[0]?.password ?? "";
  const NEW = /^\$scrypt-x\$ln=17,r=8,p=1\$[\w+/]{22,}\$[\w+/]{43,}$/;

  it("opens by what was typed and by nothing that only looks like it", async () => {
    const who = await customer();
    await changePassword(who, "ﬁne wheat ² ﬁelds");
    expect((await signIn(who.email, "fine wheat 2 fields")).status).toBe(401);
    expect((await signIn(who.email, "ﬁne wheat ² ﬁelds")).status).toBe(303);
  });

  it("of before, when like signs were one, opens so once more and is then one of now", async () => {
    const who = await customer();
    await database.pool.query("UPDATE accounts SET password = $2 WHERE user_id = $1", [
      who.userId,
      hashAsFolded("ﬁne wheat ² ﬁelds"),
    ]);
    expect((await signIn(who.email, "fine wheat 2 fields")).status).toBe(303);
    expect((await signIn(who.email, "ﬁne wheat ² ﬁelds")).status).toBe(401);
  });

  it("costs scrypt with N=2^17, r=8, p=1, and says so", async () => {
    const who = await customer();
    await changePassword(who, FRESH);
    const stored = await storedOf(who.userId);
    expect(stored).toMatch(NEW);
    const [salt = "", key = ""] = stored.split("$").slice(3);
    const derived = scryptSync(FRESH, Buffer.from(salt, "base64"), 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 });
    expect(derived.equals(Buffer.from(key, "base64"))).toBe(true);
  });

  describe.each([
    ["as better-auth does", () => hashOfBefore(FRESH)],
    ["with its cost, but not as typed", () => hashAsFolded(FRESH)],
  ])("hashed %s", (_how, make) => {
    it("of before still signs in, and is then one of now; a wrong one changes nothing", async () => {
      const who = await customer();
      const before = await make();
      await database.pool.query("UPDATE accounts SET password = $2 WHERE user_id = $1", [who.userId, before]);
      const link = await newLink(who);
      expect((await signIn(who.email, "a wrong password")).status).toBe(401);
      expect(await storedOf(who.userId)).toBe(before);
      expect((await signIn(who.email, FRESH)).status).toBe(303);
      const renewed = await storedOf(who.userId);
      expect(renewed).toMatch(NEW);
      expect((await signIn(who.email, FRESH)).status).toBe(303);
      expect(await storedOf(who.userId)).toBe(renewed);
      // It is the same password: nothing that its change would end has ended.
      expect((await new Visitor(shop.url).fetch(link)).status).toBe(200);
    });
  });
});

describe("a flood of sign-ins", () => {
  it("waits in a short line, the rest is told to come back, and nobody's guesses are spent", async () => {
    const who = await customer();
    const flood = Array.from({ length: 40 }, (_, i) => signIn(`nobody-${i}@example.com`, "wrong password"));
    const step = await who.visitor.post("/account?tab=settings", {
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
    expect((await signIn(who.email, who.password)).status).toBe(303);
  });

  it("of sign-ups holds no connection to the database while it waits", async () => {
    const who = await customer();
    const flood = Array.from({ length: 5 }, () => signUp(FRESH));
    // Answered by the database, so the sign-ups before it have come as far as they could.
    for (let n = 0; n < 10; n++) expect((await who.visitor.fetch("/account")).status).toBe(200);
    const held = "pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'";
    expect(await count(held)).toBeLessThanOrEqual(1);
    for (const { status } of await Promise.all(flood)) expect(status).toBe(303);
  });
});
