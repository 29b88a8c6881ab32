/** What the database keeps of a secret, and which tokens are believed. */
import { createHmac, createSecretKey } from "node:crypto";
import { base32 } from "@better-auth/utils/base32";
import { eq } from "drizzle-orm";
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { codeOf } from "../../tests/support/authenticator.ts";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";
import { generousLimits } from "../../tests/support/rate-limits.ts";
import { cookiesAfter } from "../../tests/support/visitor.ts";
import { purposeKey } from "../purpose-key.server.ts";
import { accounts, jwks, sessions, twoFactors, users } from "./account.tables.ts";
import { openAuth, type Auth } from "./auth.server.ts";
import { verifyToken } from "./verification/verify-token.server.ts";

const secret = "a secret that only tests know, and long enough";
const baseUrl = "http://localhost:3000";
const password = "correct horse battery";

const shop = useFreshDatabase();
let auth: Auth;
let usersAtFirst: number;
beforeAll(async () => {
  usersAtFirst = await shop.db.$count(users);
  auth = openAuth(shop.db, shop.pool, { secret, baseUrl, google: null, rateLimits: generousLimits(shop.db) });
});

let made = 0;
async function signUp(by = auth) {
  const email = `secret-${made++}@example.com`;
  const { headers, response } = await by.api.signUpEmail({
    body: { email, password, name: "Ada Lovelace", firstName: "Ada", lastName: "Lovelace" },
    returnHeaders: true,
  });
  return { email, id: response.user.id, browser: new Headers({ Cookie: cookiesAfter(headers) }) };
}

async function enroll(by = auth) {
  const user = await signUp(by);
  const enrolled = await by.api.enableTwoFactor({ body: { password }, headers: user.browser });
  if (enrolled.method !== "totp") throw new Error(enrolled.method);
  const key = new URL(enrolled.totpURI).searchParams.get("secret") ?? "";
  const seed = Buffer.from(base32.decode(key)).toString();
  return { ...user, key, seed, code: () => codeOf(seed) };
}

describe("a new shop", () => {
  it("has no account that anybody could know the password of", () => {
    expect(usersAtFirst).toBe(0);
  });
});

describe("what the database keeps", () => {
  it("of a password is a hash, another one for each account", async () => {
    const [ada, ben] = [await signUp(), await signUp()];
    const kept = await Promise.all(
      [ada, ben].map(async ({ id }) => (await shop.db.select().from(accounts).where(eq(accounts.userId, id)))[0]),
    );
    const [first, second] = kept.map((row) => row?.password ?? "");
    expect(first).not.toBe(second);
    for (const hash of [first, second]) {
      expect(hash).not.toContain(password);
      expect(hash?.length).toBeGreaterThan(64);
    }
  });

  it("of a second factor and of the signing key cannot be read, and not be changed unnoticed", async () => {
    const { id, key, seed, code, browser } = await enroll();
    expect(seed.length).toBeGreaterThanOrEqual(32);
    const read = async () => (await shop.db.select().from(twoFactors).where(eq(twoFactors.userId, id)))[0];
    const kept = (await read())?.secret ?? "";
    for (const clear of [key, seed, Buffer.from(seed).toString("hex"), Buffer.from(seed).toString("base64")])
      expect(kept).not.toContain(clear);
    const changed = kept.slice(0, -1) + (kept.endsWith("0") ? "1" : "0");
    await shop.db.update(twoFactors).set({ secret: changed }).where(eq(twoFactors.userId, id));
    await expect(auth.api.verifyTOTP({ body: { code: await code() }, headers: browser })).rejects.toThrow();
    await shop.db.update(twoFactors).set({ secret: kept }).where(eq(twoFactors.userId, id));
    await auth.api.verifyTOTP({ body: { code: await code() }, headers: browser });

    const headers = (await signUp()).browser;
    await auth.api.getToken({ headers });
    const [signing] = await shop.db.select().from(jwks);
    expect(signing?.publicKey).toContain('"x"');
    const sealed = signing?.privateKey ?? "";
    expect(sealed).not.toContain('"d"');
    const setKey = (privateKey: string) => shop.db.update(jwks).set({ privateKey });
    const at = Math.floor(sealed.length / 2);
    await setKey(sealed.slice(0, at) + (sealed[at] === "0" ? "1" : "0") + sealed.slice(at + 1));
    await expect(auth.api.getToken({ headers })).rejects.toThrow();
    await setKey(sealed);
    expect((await auth.api.getToken({ headers })).token).toMatch(/^ey/);
  });

  it("of second factors are keys of 160 bits or more that never repeat", async () => {
    const { browser } = await signUp();
    const keys: string[] = [];
    for (let n = 0; n < 3; n++) {
      const enrolled = await auth.api.enableTwoFactor({ body: { password }, headers: browser });
      keys.push(("totpURI" in enrolled && new URL(enrolled.totpURI).searchParams.get("secret")) || "");
    }
    expect(new Set(keys).size).toBe(3);
    // A character of base32 is five bits.
    for (const key of keys) expect(key).toMatch(/^[A-Z2-7]{32,}$/);
  });

  it("of sessions are long random tokens that never repeat", async () => {
    for (let n = 0; n < 8; n++) await signUp();
    const tokens = (await shop.db.select({ token: sessions.token }).from(sessions)).map(({ token }) => token);
    expect(new Set(tokens).size).toBe(tokens.length);
    // 22 characters of 64 are 131 bits.
    for (const token of tokens) expect(token).toMatch(/^[\w-]{22,}$/);
  });
});

describe("an access token", () => {
  const believed = async (token: string) => (await auth.api.verifyJWT({ body: { token } })).payload;
  const claims = { sub: "somebody", email: "eve@example.com", aud: baseUrl, iss: baseUrl };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const published = async () => {
    await auth.api.getToken({ headers: (await signUp()).browser });
    const { keys } = await auth.api.getJwks();
    const [key] = keys as { kid: string; x: string }[];
    return key ?? { kid: "", x: "" };
  };

  it("says for whom it was made, by whom, for how long, and of whom it speaks", async () => {
    const { id, browser } = await signUp();
    const { token } = await auth.api.getToken({ headers: browser });
    const payload = await believed(token);
    expect(payload).toMatchObject({ sub: id, iss: baseUrl, aud: baseUrl });
    expect(decodeProtectedHeader(token).alg).toBe("EdDSA");
    expect((await auth.api.getJwks()).keys).toMatchObject([{ alg: "EdDSA", kty: "OKP", crv: "Ed25519" }]);
    expect(Number(payload?.exp) - Number(payload?.iat)).toBeLessThanOrEqual(15 * 60);
  });

  it("is not believed unsigned, with another kind of signature, or with a key that it brings along", async () => {
    const { kid, x } = await published();
    const exp = Math.floor(Date.now() / 1000) + 600;
    const body = part({ ...claims, exp });
    expect(await believed(`${part({ alg: "none", kid })}.${body}.`)).toBeNull();
    const head = part({ alg: "HS256", kid });
    const mac = createHmac("sha256", Buffer.from(x, "base64url")).update(`${head}.${body}`).digest("base64url");
    expect(await believed(`${head}.${body}.${mac}`)).toBeNull();
    const own = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
    const jwk = await exportJWK(own.publicKey);
    for (const header of [
      { alg: "EdDSA", kid },
      { alg: "EdDSA", kid, jwk },
      { alg: "EdDSA", kid: "own", jwk },
      { alg: "EdDSA", kid, jku: "https://evil.example/jwks" },
    ]) {
      const token = await new SignJWT({ ...claims, exp }).setProtectedHeader(header).sign(own.privateKey);
      expect([header, await believed(token)]).toEqual([header, null]);
    }
  });

  it("is not believed after its time, from another issuer, or for another service", async () => {
    const exp = Math.floor(Date.now() / 1000) + 600;
    const sign = async (more: object) =>
      (await auth.api.signJWT({ body: { payload: { ...claims, exp, ...more } } })).token;
    expect(await believed(await sign({}))).toMatchObject({ sub: "somebody" });
    expect(await believed(await sign({ exp: exp - 700 }))).toBeNull();
    expect(await believed(await sign({ nbf: exp }))).toBeNull();
    expect(await believed(await sign({ iss: "https://elsewhere.example" }))).toBeNull();
    expect(await believed(await sign({ aud: "https://elsewhere.example" }))).toBeNull();
  });
});

describe("the link that verifies an email", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is over after a day, and is no access token; nor is one of those a link", async () => {
    const user = await signUp();
    const token = await verifyToken(user, { baseUrl, secret });
    expect((await auth.api.verifyJWT({ body: { token } })).payload).toBeNull();
    const access = (await auth.api.getToken({ headers: user.browser })).token;
    expect(await auth.api.confirmEmail({ body: { token: access }, headers: new Headers() })).toEqual({
      outcome: "invalid",
    });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 25 * 3600_000 });
    expect(await auth.api.confirmEmail({ body: { token }, headers: user.browser })).toEqual({ outcome: "expired" });
  });

  it("says what it is for, from which shop, and for how long; nothing else that a secret has signed is one", async () => {
    const user = await signUp();
    const open = (token: string) => auth.api.confirmEmail({ body: { token }, headers: user.browser });
    const token = await verifyToken(user, { baseUrl, secret });
    const { iat = 0, ...claims } = decodeJwt(token);
    expect(decodeProtectedHeader(token)).toEqual({ alg: "HS256", typ: "verify-email+jwt" });
    expect(claims).toEqual({
      userId: user.id,
      mailbox: expect.stringMatching(/^[\w-]{43}$/),
      iss: baseUrl,
      aud: `${baseUrl}/auth/verify`,
      exp: iat + 24 * 3600,
    });

    const own = purposeKey(secret, "verify an email");
    const sign = ({
      key = own,
      typ = "verify-email+jwt",
      ...more
    }: {
      key?: typeof own;
      typ?: string;
      [claim: string]: unknown;
    }) => new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: "HS256", typ }).sign(key);
    const head = (alg: string) => Buffer.from(JSON.stringify({ alg, typ: "verify-email+jwt" })).toString("base64url");
    const body = token.split(".")[1];
    const wider = await new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg: "HS512", typ: "verify-email+jwt" })
      .sign(own);
    expect([await open(`${head("none")}.${body}.`), await open(wider)]).toEqual([
      { outcome: "invalid" },
      { outcome: "invalid" },
    ]);
    for (const [what, forged] of [
      ["by the secret itself", { key: createSecretKey(Buffer.from(secret)) }],
      ["by the key of another purpose", { key: purposeKey(secret, "claim an order") }],
      ["of another kind", { typ: "JWT" }],
      ["from another shop", { iss: "https://elsewhere.example" }],
      ["for another place", { aud: baseUrl }],
      [
        "for another mailbox",
        { mailbox: decodeJwt(await verifyToken({ ...user, email: "b@example.com" }, { baseUrl, secret })).mailbox },
      ],
      ["for ever", { exp: undefined }],
    ] as const)
      expect([what, await open(await sign(forged))]).toEqual([what, { outcome: "invalid" }]);
    expect(await open(await sign({}))).toEqual({ outcome: "confirmed" });
  });
});

describe("another secret", () => {
  const withSecrets = (now: string, ...formerSecrets: string[]) =>
    openAuth(shop.db, shop.pool, {
      secret: now,
      formerSecrets,
      baseUrl,
      google: null,
      rateLimits: generousLimits(shop.db),
    });
  const secondSecret = "the second of three secrets of this shop";
  const thirdSecret = "and the third one, which is the newest of them";

  /** A right code, shown after the password. */
  async function signIn(opened: Auth, { email, code }: { email: string; code(): Promise<string> }) {
    await shop.db.update(users).set({ emailVerified: true }).where(eq(users.email, email));
    await shop.db.update(twoFactors).set({ lastUsedStep: null });
    const { headers } = await opened.api.signInEmail({ body: { email, password }, returnHeaders: true });
    return opened.api.verifyTOTP({
      body: { code: await code() },
      headers: new Headers({ Cookie: cookiesAfter(headers) }),
    });
  }
  async function enrolled(opened: Auth) {
    const user = await enroll(opened);
    await opened.api.verifyTOTP({ body: { code: await user.code() }, headers: user.browser });
    return user;
  }

  it("opens what those before it sealed, second factors and signing keys, and nothing without them", async () => {
    await shop.db.delete(jwks);
    const [first, second] = [withSecrets(secret), withSecrets(secondSecret, secret)];
    const [ada, ben] = [await enrolled(first), await enrolled(second)];
    await first.api.getToken({ headers: (await signUp(first)).browser });
    const [signing] = await shop.db.select().from(jwks);

    const third = withSecrets(thirdSecret, secondSecret, secret);
    for (const user of [ada, ben]) expect((await signIn(third, user)).user.id).toBe(user.id);
    const { token } = await third.api.getToken({ headers: (await signUp(third)).browser });
    expect(decodeProtectedHeader(token).kid).toBe(signing?.id);

    await expect(signIn(withSecrets(thirdSecret, secondSecret), ada)).rejects.toThrow();
    await expect(signIn(withSecrets(thirdSecret, secret), ben)).rejects.toThrow();
    await expect(signIn(withSecrets(thirdSecret), ada)).rejects.toThrow();
  });
});

describe("the key that signs access tokens", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is another one after 90 days, and is published for 30 more", async () => {
    await shop.db.delete(jwks);
    const { browser } = await signUp();
    const kidOf = async () =>
      decodeProtectedHeader((await auth.api.signJWT({ body: { payload: { sub: "somebody" } } })).token).kid ?? "";
    const published = async () => (await auth.api.getJwks()).keys.map(({ kid }) => kid);
    await auth.api.getToken({ headers: browser });
    const [start, first] = [Date.now(), await kidOf()];
    const after = (days: number) => vi.useFakeTimers({ toFake: ["Date"], now: start + days * 24 * 3600_000 });
    after(89);
    expect(await kidOf()).toBe(first);
    after(91);
    const second = await kidOf();
    expect(second).not.toBe(first);
    expect((await published()).toSorted()).toEqual([first, second].toSorted());
    after(121);
    expect(await published()).toEqual([second]);
  });
});
