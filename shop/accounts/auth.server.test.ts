/** Accounts: secrets in the database, tokens that are accepted, links that verify an email. */
import { createHmac, createSecretKey } from "node:crypto";
import { base32 } from "@better-auth/utils/base32";
import { eq } from "drizzle-orm";
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { codeOf } from "#tests/support/second-factor.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { uncounted } from "#tests/support/mail-permit.ts";
import { cookiesAfter } from "#tests/support/visitor.ts";
import { consumeMail } from "#shop/mail/enqueue-email.server.ts";
import { purposeKey } from "#shop/purpose-key.server.ts";
import { openRateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { accounts, jwks, sessions, twoFactors, users } from "./account.tables.ts";
import { openAuth, type Auth } from "./auth.server.ts";
import { verifyToken } from "./email-links.server.ts";

const secret = "a secret that only tests know, and long enough";
const baseUrl = "http://localhost:3000";
const password = "correct horse battery";

const shop = useFreshDatabase();
type Settings = Partial<Parameters<typeof openAuth>[2]>;
const open = (settings: Settings = {}) =>
  openAuth(shop.db, shop.pool, { secret, baseUrl, google: null, rateLimits: uncounted, ...settings });
let auth: Auth;
let usersAtFirst: number;
beforeAll(async () => {
  usersAtFirst = await shop.db.$count(users);
  auth = open();
});
afterEach(() => {
  vi.useRealTimers();
});
const afterDays = (days: number, start = Date.now()) =>
  vi.useFakeTimers({ toFake: ["Date"], now: start + days * 24 * 3600_000 });

let made = 0;
const cookies = (headers: Headers) => new Headers({ Cookie: cookiesAfter(headers) });
const someone = (email = `somebody-${made++}@example.com`) => {
  return { email, password, name: "Ada Lovelace", firstName: "Ada", lastName: "Lovelace" };
};

async function signUp(by = auth) {
  const { headers, response } = await by.api.signUpEmail({ body: someone(), returnHeaders: true });
  return { email: response.user.email, id: response.user.id, browser: cookies(headers) };
}

async function enroll(by = auth) {
  const user = await signUp(by);
  const enrolled = await by.api.enableTwoFactor({ body: { password }, headers: user.browser });
  if (enrolled.method !== "totp") throw new Error(enrolled.method);
  const key = new URL(enrolled.totpURI).searchParams.get("secret") ?? "";
  const seed = Buffer.from(base32.decode(key)).toString();
  return { ...user, key, seed, code: () => codeOf(seed) };
}

describe("the database", () => {
  it("of a new shop has no account", () => {
    expect(usersAtFirst).toBe(0);
  });

  it("stores a salted hash of a password", async () => {
    const [ada, ben] = [await signUp(), await signUp()];
    const hashOf = async (id: string) =>
      (await shop.db.select().from(accounts).where(eq(accounts.userId, id)))[0]?.password ?? "";
    const hashes = [await hashOf(ada.id), await hashOf(ben.id)];
    expect(hashes[0]).not.toBe(hashes[1]);
    for (const hash of hashes) {
      expect(hash).not.toContain(password);
      expect(hash.length).toBeGreaterThan(64);
    }
  });

  it("stores second factors and the signing key encrypted and authenticated", async () => {
    const { id, key, seed, code, browser } = await enroll();
    const [stored] = await shop.db.select().from(twoFactors).where(eq(twoFactors.userId, id));
    const sealed = stored?.secret ?? "";
    for (const clear of [key, seed, Buffer.from(seed).toString("hex"), Buffer.from(seed).toString("base64")])
      expect(sealed).not.toContain(clear);
    const setSecret = (text: string) =>
      shop.db.update(twoFactors).set({ secret: text }).where(eq(twoFactors.userId, id));
    await setSecret(sealed.slice(0, -1) + (sealed.endsWith("0") ? "1" : "0"));
    await expect(auth.api.verifyTOTP({ body: { code: await code() }, headers: browser })).rejects.toThrow();
    await setSecret(sealed);
    await auth.api.verifyTOTP({ body: { code: await code() }, headers: browser });

    const headers = (await signUp()).browser;
    await auth.api.getToken({ headers });
    const [signing] = await shop.db.select().from(jwks);
    expect(signing?.publicKey).toContain('"x"');
    const sealedKey = signing?.privateKey ?? "";
    expect(sealedKey).not.toContain('"d"');
    const setKey = (privateKey: string) => shop.db.update(jwks).set({ privateKey });
    const at = Math.floor(sealedKey.length / 2);
    await setKey(sealedKey.slice(0, at) + (sealedKey[at] === "0" ? "1" : "0") + sealedKey.slice(at + 1));
    await expect(auth.api.getToken({ headers })).rejects.toThrow();
    await setKey(sealedKey);
    expect((await auth.api.getToken({ headers })).token).toMatch(/^ey/);
  });

  it("has random keys of second factors and tokens of sessions, which never repeat", async () => {
    const keys = [(await enroll()).key, (await enroll()).key, (await enroll()).key];
    expect(new Set(keys).size).toBe(3);
    // A character of base32 is five bits: 160 or more.
    for (const key of keys) expect(key).toMatch(/^[A-Z2-7]{32,}$/);
    for (let n = 0; n < 5; n++) await signUp();
    const tokens = (await shop.db.select({ token: sessions.token }).from(sessions)).map(({ token }) => token);
    expect(new Set(tokens).size).toBe(tokens.length);
    // 22 characters of 64 are 131 bits.
    for (const token of tokens) expect(token).toMatch(/^[\w-]{22,}$/);
  });

  it("stores no token of a Google account, at the first sign-in or a later one", async () => {
    const { id } = await signUp();
    const { internalAdapter } = await auth.$context;
    const tokens = { accessToken: "a", refreshToken: "r", idToken: "i", accessTokenExpiresAt: new Date() };
    const google = { userId: id, providerId: "google", accountId: `google-${id}` };
    const { id: accountId } = await internalAdapter.createAccount({ ...google, ...tokens });
    const stored = async () => (await shop.db.select().from(accounts).where(eq(accounts.id, accountId)))[0];
    const none = { accessToken: null, refreshToken: null, idToken: null, accessTokenExpiresAt: null };
    expect(await stored()).toMatchObject({ ...google, ...none });
    await internalAdapter.updateAccount(accountId, { ...tokens, scope: "openid" });
    expect(await stored()).toMatchObject({ ...google, ...none, scope: "openid" });
  });
});

describe("a provider in Google's place", () => {
  const google = { clientId: "a shop", clientSecret: "only for tests", issuer: "https://accounts.example" };
  const signIn = (wrong: object) => {
    const at = (path: string) => google.issuer + path;
    const known = { authorization_endpoint: at("/auth"), token_endpoint: at("/token"), jwks_uri: at("/jwks") };
    const description = { issuer: google.issuer, id_token_signing_alg_values_supported: ["RS256"], ...known, ...wrong };
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(description));
    return open({ google }).api.signInSocial({ body: { provider: "google" } });
  };
  afterEach(() => vi.restoreAllMocks());

  it("is asked if it describes itself well", async () => {
    expect(await signIn({})).toMatchObject({ url: expect.stringMatching(/^https:\/\/accounts\.example\/auth\?/) });
  });

  it.each([
    ["it signs with a shared key, too", { id_token_signing_alg_values_supported: ["RS256", "HS256"] }],
    ["nobody knows how it signs", { id_token_signing_alg_values_supported: undefined }],
    ["it calls itself another one", { issuer: "https://somebody-else.example" }],
  ])("is not asked where %s", async (_why, wrong) => {
    await expect(signIn(wrong)).rejects.toThrow("Provider not found");
  });
});

it("a sign-up without an email left to verify it is refused", async () => {
  const body = someone();
  const rateLimits = openRateLimits(shop.db, { scale: 1, secret });
  for (let i = 0; i < 5; i++) await consumeMail(rateLimits, { to: body.email, network: "192.0.2.1" });
  const headers = new Headers({ "x-caller-address": "192.0.2.2" });
  await expect(open({ rateLimits }).api.signUpEmail({ body, headers })).rejects.toMatchObject({
    statusCode: 429,
    body: { code: "TOO_MANY_EMAILS", message: "Too many attempts. Please wait 15 minutes, then try again." },
  });
  expect(await shop.db.$count(users, eq(users.email, body.email))).toBe(0);
});

describe("a session", () => {
  it("gets a new token by renewal, which one of two simultaneous requests receives", async () => {
    const { browser } = await signUp();
    const before = await auth.api.getSession({ headers: browser });
    const renew = () => auth.api.renewSession({ headers: browser, returnHeaders: true });
    const answers = await Promise.all([renew(), renew()]);
    // The later request may find its session gone.
    const sent = answers.filter(({ headers }) => /session_token=[\w-]/.test(cookiesAfter(headers)));
    expect(sent).toHaveLength(1);
    expect(await auth.api.getSession({ headers: browser })).toBeNull();
    const after = await auth.api.getSession({ headers: cookies(sent[0]!.headers) });
    expect(after?.session).toMatchObject({ id: before?.session.id, createdAt: before?.session.createdAt });
  });

  it("is read in one statement", async () => {
    const { browser } = await signUp();
    const query = vi.spyOn(shop.pool, "query");
    await auth.api.getSession({ headers: browser });
    expect(query).toHaveBeenCalledTimes(1);
    query.mockRestore();
  });
});

describe("an access token", () => {
  const payloadOf = async (token: string) => (await auth.api.verifyJWT({ body: { token } })).payload;
  const claims = { sub: "somebody", email: "eve@example.com", aud: baseUrl, iss: baseUrl };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const inTenMinutes = () => Math.floor(Date.now() / 1000) + 600;

  it("is refused unsigned, with another algorithm, or signed by a key of its own", async () => {
    await auth.api.getToken({ headers: (await signUp()).browser });
    const { keys } = await auth.api.getJwks();
    const { kid, x } = keys[0] as { kid: string; x: string };
    const exp = inTenMinutes();
    const body = part({ ...claims, exp });
    const head = part({ alg: "HS256", kid });
    const mac = createHmac("sha256", Buffer.from(x, "base64url")).update(`${head}.${body}`).digest("base64url");
    const own = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
    const jwk = await exportJWK(own.publicKey);
    const signed = [
      { alg: "EdDSA", kid },
      { alg: "EdDSA", kid, jwk },
      { alg: "EdDSA", kid: "own", jwk },
      { alg: "EdDSA", kid, jku: "https://evil.example/jwks" },
    ].map((header) => new SignJWT({ ...claims, exp }).setProtectedHeader(header).sign(own.privateKey));
    const unsigned = `${part({ alg: "none", kid })}.${body}.`;
    for (const token of [unsigned, `${head}.${body}.${mac}`, ...(await Promise.all(signed))])
      expect([token, await payloadOf(token)]).toEqual([token, null]);
  });

  it("is refused outside its time, and for another issuer or audience", async () => {
    const exp = inTenMinutes();
    const sign = async (more: object) =>
      (await auth.api.signJWT({ body: { payload: { ...claims, exp, ...more } } })).token;
    const elsewhere = "https://elsewhere.example";
    expect(await payloadOf(await sign({}))).toMatchObject({ sub: "somebody" });
    for (const wrong of [{ exp: exp - 700 }, { nbf: exp }, { iss: elsewhere }, { aud: elsewhere }])
      expect([wrong, await payloadOf(await sign(wrong))]).toEqual([wrong, null]);
  });

  it("is signed by a key that is rotated after 90 days and published for 30 more", async () => {
    await shop.db.delete(jwks);
    const kidOf = async () =>
      decodeProtectedHeader((await auth.api.signJWT({ body: { payload: { sub: "somebody" } } })).token).kid ?? "";
    const published = async () => (await auth.api.getJwks()).keys.map(({ kid }) => kid).toSorted();
    await auth.api.getToken({ headers: (await signUp()).browser });
    const [start, first] = [Date.now(), await kidOf()];
    afterDays(89, start);
    expect(await kidOf()).toBe(first);
    afterDays(91, start);
    const second = await kidOf();
    expect(second).not.toBe(first);
    expect(await published()).toEqual([first, second].toSorted());
    afterDays(121, start);
    expect(await published()).toEqual([second]);
  });
});

describe("the link that verifies an email", () => {
  const outcomeOf = async (token: string, headers = new Headers()) =>
    (await auth.api.confirmEmail({ body: { token }, headers })).outcome;

  it("expires after a day, and is no access token, nor the reverse", async () => {
    const user = await signUp();
    const token = await verifyToken(user, { baseUrl, secret });
    expect((await auth.api.verifyJWT({ body: { token } })).payload).toBeNull();
    expect(await outcomeOf((await auth.api.getToken({ headers: user.browser })).token)).toBe("invalid");
    afterDays(25 / 24);
    expect(await outcomeOf(token, user.browser)).toBe("expired");
  });

  it("names its purpose, shop, mailbox and end, and nothing else signed by a secret is one", async () => {
    const user = await signUp();
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
    const sign = (more: object, { key = own, alg = "HS256", typ = "verify-email+jwt" } = {}) =>
      new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg, typ }).sign(key);
    const head = Buffer.from(JSON.stringify({ alg: "none", typ: "verify-email+jwt" })).toString("base64url");
    const otherMailbox = decodeJwt(await verifyToken({ ...user, email: "b@example.com" }, { baseUrl, secret }));
    for (const [what, forged] of [
      ["nonsense", "nonsense"],
      ["not signed", `${head}.${token.split(".")[1]}.`],
      ["by another algorithm", await sign({}, { alg: "HS512" })],
      ["by another secret", await verifyToken(user, { baseUrl, secret: "another secret, also long enough to be one" })],
      ["by the secret itself", await sign({}, { key: createSecretKey(Buffer.from(secret)) })],
      ["by the key of another purpose", await sign({}, { key: purposeKey(secret, "claim an order") })],
      ["of another kind", await sign({}, { typ: "JWT" })],
      ["from another shop", await sign({ iss: "https://elsewhere.example" })],
      ["for another address", await sign({ aud: baseUrl })],
      ["for another mailbox", await sign({ mailbox: otherMailbox.mailbox })],
      ["without an end", await sign({ exp: undefined })],
    ] as const)
      expect([what, await outcomeOf(forged, user.browser)]).toEqual([what, "invalid"]);
    expect(await outcomeOf(await sign({}), user.browser)).toBe("confirmed");
  });
});

it("a new secret opens what former secrets encrypted, and nothing without them", async () => {
  const second = "the second of three secrets of this shop";
  const third = "and the third one, which is the newest of them";
  const withSecrets = (now: string, ...formerSecrets: string[]) => open({ secret: now, formerSecrets });
  async function enrolled(opened: Auth) {
    const user = await enroll(opened);
    await opened.api.verifyTOTP({ body: { code: await user.code() }, headers: user.browser });
    return user;
  }
  async function signIn(opened: Auth, { email, code }: Awaited<ReturnType<typeof enrolled>>) {
    await shop.db.update(users).set({ emailVerified: true }).where(eq(users.email, email));
    await shop.db.update(twoFactors).set({ lastUsedStep: null });
    const { headers } = await opened.api.signInEmail({ body: { email, password }, returnHeaders: true });
    return opened.api.verifyTOTP({ body: { code: await code() }, headers: cookies(headers) });
  }

  await shop.db.delete(jwks);
  const [ofFirst, ofSecond] = [withSecrets(secret), withSecrets(second, secret)];
  const [ada, ben] = [await enrolled(ofFirst), await enrolled(ofSecond)];
  await ofFirst.api.getToken({ headers: (await signUp(ofFirst)).browser });
  const [signing] = await shop.db.select().from(jwks);

  const ofThird = withSecrets(third, second, secret);
  for (const user of [ada, ben]) expect((await signIn(ofThird, user)).user.id).toBe(user.id);
  const { token } = await ofThird.api.getToken({ headers: (await signUp(ofThird)).browser });
  expect(decodeProtectedHeader(token).kid).toBe(signing?.id);

  await expect(signIn(withSecrets(third, second), ada)).rejects.toThrow();
  await expect(signIn(withSecrets(third, secret), ben)).rejects.toThrow();
  await expect(signIn(withSecrets(third), ada)).rejects.toThrow();
});
