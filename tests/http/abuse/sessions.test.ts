/** What somebody with a stolen cookie, password or database tries: none of the three alone changes an account or stays in it. */
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { MAX_CODE_CHARACTERS } from "../../../shop/accounts/second-factor/code-length.ts";
import { makeResetToken } from "../../../shop/accounts/passwords/reset-token.server.ts";
import { makeActor, type Actor } from "../../support/actors.ts";
import { giveSecondFactor, type SecondFactor } from "../../support/second-factor.ts";
import { useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, database } = useShop({ AUTH_SECRET });

const customer = () => makeActor(database.pool, shop.url, AUTH_SECRET, "customer");

async function protectedCustomer(): Promise<Actor & SecondFactor> {
  const actor = await customer();
  return { ...actor, ...(await giveSecondFactor(database, AUTH_SECRET, actor.userId ?? "")) };
}

type Session = { id: string; token: string; created_at: Date };
const sessionsOf = async ({ userId }: Actor) =>
  (
    await database.pool.query<Session>(
      "SELECT id, token, created_at FROM sessions WHERE user_id = $1 ORDER BY created_at, id",
      [userId],
    )
  ).rows;

/** Somebody who copied the cookie of a session. */
function thiefOf({ token }: { token: string }): Visitor {
  const thief = new Visitor(shop.url);
  const signature = createHmac("sha256", AUTH_SECRET).update(token).digest("base64");
  thief.carry("polara.session_token", encodeURIComponent(`${token}.${signature}`));
  return thief;
}

const isIn = async (who: Visitor) => (await who.fetch("/account")).status === 200;
const signIn = (who: Visitor, { email, password }: Actor) =>
  who.post("/auth", { intent: "sign-in", email, password, redirect: "/" });
const submit = async ({ visitor }: { visitor: Visitor }, intent: string, fields: Record<string, string> = {}) => {
  const response = await visitor.post("/account?tab=settings", { intent, ...fields });
  return { status: response.status, headers: response.headers, html: await response.text() };
};

/** The session that the actor's browser uses, as the database has it now. */
async function sessionInUse(actor: Actor): Promise<Session> {
  const found = (await sessionsOf(actor)).find(({ id }) => id === actor.sessionIds[0]);
  if (!found) throw new Error("the session has ended");
  return found;
}

describe("a session's token", () => {
  it("ends where its browser signs in again, or as somebody else", async () => {
    const [ada, ben] = [await customer(), await customer()];
    const before = await sessionInUse(ada);
    expect((await signIn(ada.visitor, ada)).status).toBe(303);
    const second = (await sessionsOf(ada)).at(-1)!;
    expect([await isIn(thiefOf(before)), await isIn(thiefOf(second))]).toEqual([false, true]);
    expect((await signIn(ada.visitor, ben)).status).toBe(303);
    expect([await isIn(thiefOf(second)), await isIn(ada.visitor)]).toEqual([false, true]);
  });

  it("ends where its browser signs in to an account that still asks for its code", async () => {
    const [ada, ben] = [await customer(), await protectedCustomer()];
    const before = await sessionInUse(ada);
    expect((await signIn(ada.visitor, ben)).headers.get("Location")).toMatch(/^\/auth\/two-factor/);
    expect([await isIn(thiefOf(before)), await isIn(ada.visitor)]).toEqual([false, false]);
  });

  it("is another one after the second step: the one from before it never opens the account", async () => {
    const ada = await protectedCustomer();
    // As after Google, which vouches for the first step only.
    await database.pool.query("UPDATE sessions SET aal = 'aal1' WHERE user_id = $1", [ada.userId]);
    const before = await sessionInUse(ada);
    expect((await ada.visitor.post("/auth/two-factor", { code: await ada.code() })).status).toBe(303);
    expect([await isIn(ada.visitor), await isIn(thiefOf(before))]).toEqual([true, false]);
    expect((await sessionInUse(ada)).created_at).toEqual(before.created_at);
  });

  it("is another one after each proof in Settings, in the session that began when it began", async () => {
    const ada = await customer();
    for (const send of [
      () => submit(ada, "factor-start", { password: ada.password }),
      () => submit(ada, "sign-out-others", { password: ada.password }),
      () => ada.visitor.post("/account/download", { password: ada.password }),
    ]) {
      const before = await sessionInUse(ada);
      expect((await send()).status).toBe(200);
      const after = await sessionInUse(ada);
      expect(after).toEqual({ ...before, token: expect.not.stringMatching(before.token) as string });
      expect([await isIn(ada.visitor), await isIn(thiefOf(before))]).toEqual([true, false]);
    }
    const before = await sessionInUse(ada);
    const change = { password: "an unusual horse", confirmPassword: "an unusual horse" };
    expect((await submit(ada, "password", { currentPassword: ada.password, ...change })).status).toBe(200);
    expect([await isIn(ada.visitor), await isIn(thiefOf(before))]).toEqual([true, false]);
  });

  it("is not taken from the browser by an answer to the one before it", async () => {
    const { visitor, sessionIds } = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
    await database.pool.query("UPDATE sessions SET token = 'renewed' WHERE id = $1", [sessionIds[0]]);
    const late = await visitor.fetch("/personal");
    expect(await late.json()).toMatchObject({ customer: null });
    expect(late.headers.getSetCookie()).toEqual([]);
  });

  it("stays what it was where the proof was wrong", async () => {
    const ada = await customer();
    const before = await sessionInUse(ada);
    expect((await submit(ada, "factor-start", { password: "wrong horse" })).status).toBe(403);
    expect(await sessionInUse(ada)).toEqual(before);
  });

  it("begins no later because a second factor is removed", async () => {
    const ada = await protectedCustomer();
    await database.pool.query("UPDATE sessions SET created_at = now() - interval '1 day' WHERE user_id = $1", [
      ada.userId,
    ]);
    const before = await sessionInUse(ada);
    const proof = { password: ada.password, code: ada.backupCodes[0]! };
    expect((await submit(ada, "factor-remove", proof)).status).toBe(200);
    expect([await isIn(ada.visitor), await isIn(thiefOf(before))]).toEqual([true, false]);
    for (const session of await sessionsOf(ada)) expect(session.created_at).toEqual(before.created_at);
  });
});

const newPassword = { password: "an unusual horse", confirmPassword: "an unusual horse" };

describe("a stolen password and an open browser", () => {
  /** Each form with the password; the second factor's code is added to it. */
  const forms: [name: string, send: (ada: Actor, proof: Record<string, string>) => Promise<{ status: number }>][] = [
    ["password", (ada, code) => submit(ada, "password", { currentPassword: ada.password, ...newPassword, ...code })],
    ["factor-remove", (ada, code) => submit(ada, "factor-remove", { password: ada.password, ...code })],
    ["factor-codes", (ada, code) => submit(ada, "factor-codes", { password: ada.password, ...code })],
    ["sign-out-others", (ada, code) => submit(ada, "sign-out-others", { password: ada.password, ...code })],
    [
      "sign-out-one",
      (ada, code) => submit(ada, "sign-out-one", { session: ada.sessionIds[1]!, password: ada.password, ...code }),
    ],
    ["delete", (ada, code) => submit(ada, "delete", { confirmation: "delete", password: ada.password, ...code })],
  ];
  const stateOf = async ({ userId }: Actor) => {
    const one = async (statement: string) => (await database.pool.query<object>(statement, [userId])).rows;
    return [
      await one("SELECT id, two_factor_enabled FROM users WHERE id = $1"),
      await one("SELECT password FROM accounts WHERE user_id = $1"),
      await one("SELECT secret, backup_codes FROM two_factors WHERE user_id = $1"),
      await one("SELECT id, token FROM sessions WHERE user_id = $1 ORDER BY id"),
    ];
  };

  it.each(forms)("change nothing without a right code: %s", async (_, send) => {
    const ada = await protectedCustomer();
    const before = await stateOf(ada);
    expect((await send(ada, {})).status).toBe(400);
    expect((await send(ada, { code: "zzzzzzz-zzzzzzz-zzzzzzz-zzzzzzz" })).status).toBe(403);
    expect((await send(ada, { code: "x".repeat(MAX_CODE_CHARACTERS + 1) })).status).toBe(400);
    expect(await stateOf(ada)).toEqual(before);
    expect([200, 303]).toContain((await send(ada, { code: ada.backupCodes[0]! })).status);
    expect(await stateOf(ada)).not.toEqual(before);
  });

  it("download nothing without a right code", async () => {
    const ada = await protectedCustomer();
    const download = async (fields: Record<string, string>) => {
      const answer = await ada.visitor.post("/account/download", fields);
      return answer.headers.get("Location") ?? answer.status;
    };
    const { password } = ada;
    expect(await download({ password })).toBe("/account?tab=settings&download=code-missing#data");
    expect(await download({ password, code: "not-a-code" })).toBe("/account?tab=settings&download=code-wrong#data");
    expect(await download({ password, code: await ada.code() })).toBe(200);
  });

  it("say under which field what is missing or wrong", async () => {
    const ada = await protectedCustomer();
    const empty = await submit(ada, "factor-remove");
    expect(empty.html).toContain("Password is required");
    expect(empty.html).toContain("Enter the code");
    const wrong = await submit(ada, "factor-remove", { password: ada.password, code: "123 456 7" });
    expect(wrong.html).toContain("That backup code is not right, or was used already.");
    expect(wrong.html).not.toContain(`value="${ada.password}"`);
  });

  it("take a backup code once", async () => {
    const ada = await protectedCustomer();
    const proof = { password: ada.password, code: ada.backupCodes[0]! };
    expect((await submit(ada, "sign-out-others", proof)).status).toBe(200);
    expect((await submit(ada, "sign-out-others", proof)).status).toBe(403);
  });
});

describe("guesses of a code in Settings", () => {
  const strict = useShop({ AUTH_SECRET, RATE_LIMIT_SCALE: "1" });

  it("are counted, the right one then too", async () => {
    const ada = await makeActor(strict.database.pool, strict.shop.url, AUTH_SECRET, "customer");
    const { backupCodes } = await giveSecondFactor(strict.database, AUTH_SECRET, ada.userId ?? "");
    const tried = (code: string) => submit(ada, "factor-codes", { password: ada.password, code });
    for (let n = 0; n < 10; n++) expect((await tried("000000")).status).toBe(403);
    const limited = await tried(backupCodes[0]!);
    expect([limited.status, limited.html.includes("Too many attempts. Please wait")]).toEqual([429, true]);
  });
});

describe("somebody's sessions", () => {
  it("are not ended by an open browser alone", async () => {
    const ada = await customer();
    const before = await sessionsOf(ada);
    expect((await submit(ada, "sign-out-others")).status).toBe(400);
    expect((await submit(ada, "sign-out-one", { session: ada.sessionIds[1]! })).status).toBe(400);
    expect(await sessionsOf(ada)).toEqual(before);
  });

  it("are ended one by one, by whoever they belong to", async () => {
    const [ada, ben] = [await customer(), await customer()];
    const { password } = ada;
    for (const session of [ben.sessionIds[0]!, ben.sessionIds[1]!, "nonsense", "", ada.sessionIds[0]!]) {
      const { status, html } = await submit(ada, "sign-out-one", { session, password });
      expect([session, status]).toEqual([session, session ? 404 : 400]);
      expect(html).toContain(session ? "That device is signed out already." : "Choose a device first.");
    }
    expect([await sessionsOf(ada), await sessionsOf(ben)].map(({ length }) => length)).toEqual([2, 2]);
    expect((await submit(ada, "sign-out-one", { session: ada.sessionIds[1]!, password })).status).toBe(200);
    expect((await sessionsOf(ada)).map(({ id }) => id)).toEqual([ada.sessionIds[0]]);
    expect(await isIn(ada.visitor)).toBe(true);
  });
});

describe("backup codes in a stolen database", () => {
  const keptOf = async ({ userId }: Actor) =>
    (
      await database.pool.query<{ kept: string }>("SELECT backup_codes AS kept FROM two_factors WHERE user_id = $1", [
        userId,
      ])
    ).rows[0]!.kept;

  it("are hashes, of codes of 140 bits that each work once, however they are typed", async () => {
    const ada = await protectedCustomer();
    const made = await submit(ada, "factor-codes", { password: ada.password, code: ada.backupCodes[0]! });
    const codes = [...made.html.matchAll(/<li>([^<]+)<\/li>/g)].map(([, code]) => code!);
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{7}-){3}[0-9a-hjkmnp-tv-z]{7}$/);
    const kept = JSON.parse(await keptOf(ada)) as string[];
    expect(kept).toHaveLength(10);
    for (const hash of kept) expect(hash).toMatch(/^sha256:[\w-]{43}$/);
    const owner = new Visitor(shop.url);
    await signIn(owner, ada);
    const typed = codes[0]!.toUpperCase().replaceAll("-", " ").replaceAll("0", "O").replaceAll("1", "l");
    expect((await owner.post("/auth/two-factor", { code: typed })).status).toBe(303);
    expect(JSON.parse(await keptOf(ada))).toHaveLength(9);
  });
});

describe("what a browser keeps", () => {
  const clears = (answer: { headers: Headers }) => answer.headers.get("Clear-Site-Data");

  it("is cleared on signing out, on a reset password and with the account", async () => {
    const [ada, ben, cleo] = [await customer(), await customer(), await customer()];
    expect(clears(await ada.visitor.post("/auth/sign-out", {}))).toBe('"cache"');
    const token = await makeResetToken(database.db, ben.userId ?? "");
    expect(clears(await ben.visitor.post(`/reset-password?token=${token}`, newPassword))).toBe('"cache"');
    const deleted = await submit(cleo, "delete", { confirmation: "delete", password: cleo.password });
    expect([deleted.status, clears(deleted)]).toEqual([303, '"cache"']);
  });
});
