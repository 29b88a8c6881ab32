/** Signing in by Google, where the answer is not what Google would have said to this browser. */
import { createHash, createHmac } from "node:crypto";
import { exportSPKI } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newKeys, startForgingProvider, type ForgingProvider } from "../support/forging-provider.ts";
import { useFreshDatabase } from "../support/fresh-database.ts";
import { startShop, type Shop } from "../support/shop.ts";
import { Visitor } from "../support/visitor.ts";

const database = useFreshDatabase(5);
let shop: Shop;
let provider: ForgingProvider;

beforeAll(async () => {
  provider = await startForgingProvider();
  shop = await startShop({
    DATABASE_URL: database.url,
    AUTH_SECRET: "a secret that only tests know here",
    ...provider.env,
  });
});
afterAll(async () => {
  await shop.stop();
  await provider.stop();
});

let made = 0;
const person = () => ({
  sub: `sub-${++made}`,
  email: `person-${made}@example.com`,
  email_verified: true,
  name: "Grace",
});

/** Presses the button: what Google would be asked, and by whom. */
async function press(who = new Visitor(shop.url)) {
  const pressed = await who.post("/auth", { intent: "google", redirect: "/" });
  expect(pressed.status).toBe(303);
  return { who, asked: new URL(pressed.headers.get("Location") ?? "").searchParams };
}
const comeBack = (who: Visitor, state: string | null) =>
  who.fetch(`/api/auth/callback/google?code=a-code${state === null ? "" : `&state=${encodeURIComponent(state)}`}`);
const isIn = async (who: Visitor) =>
  ((await (await who.fetch("/personal")).json()) as { customer: unknown }).customer !== null;

const now = () => Math.floor(Date.now() / 1000);
const claimsFor = (asked: URLSearchParams) => ({
  ...person(),
  iss: provider.issuer,
  aud: provider.clientId,
  iat: now(),
  exp: now() + 300,
  nonce: asked.get("nonce") ?? "",
});
type Claims = ReturnType<typeof claimsFor>;

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
async function keyedByThePublicKey(claims: Claims): Promise<string> {
  const unsigned = `${part({ alg: "HS256", kid: "the-one" })}.${part(claims)}`;
  const key = await exportSPKI(provider.keys.publicKey);
  return `${unsigned}.${createHmac("sha256", key).update(unsigned).digest("base64url")}`;
}

describe("Google's word about who somebody is", () => {
  it("is believed where all of it is right, and asks for nothing more", async () => {
    const { who, asked } = await press();
    provider.answer = async (form) => {
      const challenge = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      expect(asked.get("code_challenge")).toBe(challenge);
      return { idToken: await provider.sign(claimsFor(asked)) };
    };
    expect((await comeBack(who, asked.get("state"))).status).toBe(302);
    expect(await isIn(who)).toBe(true);
    expect(provider.strayed).toEqual([]);
  });

  it.each<[string, (claims: Claims) => Promise<string | undefined>]>([
    ["missing", async () => undefined],
    ["signed by another key", async (claims) => provider.sign(claims, { keys: await newKeys() })],
    ["not signed", async (claims) => `${part({ alg: "none", kid: "the-one" })}.${part(claims)}.`],
    ["signed with the public key as a password", keyedByThePublicKey],
    ["meant for another shop", (claims) => provider.sign({ ...claims, aud: "another-shop" })],
    ["from another issuer", (claims) => provider.sign({ ...claims, iss: "https://accounts.elsewhere.example" })],
    ["over", (claims) => provider.sign({ ...claims, iat: now() - 7200, exp: now() - 3600 })],
    ["of another sign-in", (claims) => provider.sign({ ...claims, nonce: "another-nonce" })],
    ["without the nonce", (claims) => provider.sign({ ...claims, nonce: undefined })],
  ])("is not believed: %s", async (_case, forge) => {
    const { who, asked } = await press();
    provider.answer = async () => ({ idToken: await forge(claimsFor(asked)) });
    const back = await comeBack(who, asked.get("state"));
    expect(back.headers.get("Location") ?? "").toContain("error=");
    expect(await isIn(who)).toBe(false);
  });

  it("is not fetched from where the token endpoint would send the shop", async () => {
    const { who, asked } = await press();
    provider.answer = () => ({ status: 307, headers: { Location: `${provider.issuer}/elsewhere` } });
    await comeBack(who, asked.get("state"));
    expect(await isIn(who)).toBe(false);
    expect(provider.strayed).not.toContain("/elsewhere");
  });
});

describe("an answer from Google", () => {
  it("counts only in the browser that asked, once, and with its own state", async () => {
    const { who, asked } = await press();
    provider.answer = async () => ({ idToken: await provider.sign(claimsFor(asked)) });
    const stranger = new Visitor(shop.url);
    await comeBack(stranger, asked.get("state"));
    expect(await isIn(stranger)).toBe(false);
    for (const state of [null, "", "made-up"]) {
      await comeBack(who, state);
      expect(await isIn(who)).toBe(false);
    }
    const { who: victim } = await press();
    await comeBack(victim, asked.get("state"));
    expect(await isIn(victim)).toBe(false);

    const { who: owner, asked: own } = await press();
    const claims = claimsFor(own);
    provider.answer = async () => ({ idToken: await provider.sign(claims) });
    await comeBack(owner, own.get("state"));
    expect(await isIn(owner)).toBe(true);
    await owner.post("/auth/sign-out", {});
    await comeBack(owner, own.get("state"));
    expect(await isIn(owner)).toBe(false);
  });

  it("is asked for with a state, a nonce and a challenge that are new each time", async () => {
    const [one, two] = [(await press()).asked, (await press()).asked];
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(one.get(name)?.length, name).toBeGreaterThanOrEqual(22);
      expect(one.get(name), name).not.toBe(two.get(name));
    }
    expect([one.get("response_type"), one.get("code_challenge_method")]).toEqual(["code", "S256"]);
    expect(one.get("redirect_uri")).toBe(`${shop.url}/api/auth/callback/google`);
    expect(one.get("scope")?.split(" ").toSorted()).toEqual(["email", "openid", "profile"]);
  });

  it("names somebody by Google's own id, not by the email", async () => {
    const grace = person();
    const signIn = async (claims: object) => {
      const { who, asked } = await press();
      provider.answer = async () => ({ idToken: await provider.sign({ ...claimsFor(asked), ...claims }) });
      const back = await comeBack(who, asked.get("state"));
      return Object.assign(who, { ledTo: back.headers.get("Location") ?? "" });
    };
    const first = await signIn(grace);
    expect(await isIn(first)).toBe(true);
    // The same person with another address at Google, and another person with the address that was theirs.
    const moved = await signIn({ ...grace, email: `moved-${grace.email}` });
    expect(await (await moved.fetch("/account?tab=settings")).text()).toContain(grace.email);
    const stranger = await signIn({ ...grace, sub: "somebody-else", email: `taker-${grace.email}` });
    expect(await (await stranger.fetch("/account?tab=settings")).text()).not.toContain(`>${grace.email}<`);
    const taker = await signIn({ ...grace, sub: "the-next-owner" });
    expect(await isIn(taker)).toBe(false);
    expect(await (await taker.fetch(taker.ledTo)).text()).toContain("is opened by another Google account");
    const { rows } = await database.pool.query(
      "SELECT account_id FROM accounts JOIN users ON users.id = user_id WHERE email = $1",
      [grace.email],
    );
    expect(rows).toEqual([{ account_id: grace.sub }]);
  });
});
