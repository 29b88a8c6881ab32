/** Signing in by Google, where the answer is not Google's to this browser, or the provider's description not its own. */
import { createHash, createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import { exportSPKI } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newKeys, startForgingProvider } from "../support/forging-provider.ts";
import { freePort, startShop, type Shop } from "../support/shop.ts";
import { signIn, useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const provider = await startForgingProvider();
const { shop, database, actor } = useShop(provider.env);
afterAll(() => provider.stop());

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
const isIn = async (who: Visitor) => (await who.me()).customer !== null;

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

describe("Google's ID token", () => {
  it("is accepted if valid, without further requests", async () => {
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
  ])("is refused: %s", async (_case, forge) => {
    const { who, asked } = await press();
    provider.answer = async () => ({ idToken: await forge(claimsFor(asked)) });
    const back = await comeBack(who, asked.get("state"));
    expect(back.headers.get("Location") ?? "").toContain("error=");
    expect(await isIn(who)).toBe(false);
  });

  it("is not fetched by a redirect of the token endpoint", async () => {
    const { who, asked } = await press();
    provider.answer = () => ({ status: 307, headers: { Location: `${provider.issuer}/elsewhere` } });
    await comeBack(who, asked.get("state"));
    expect(await isIn(who)).toBe(false);
    expect(provider.strayed).not.toContain("/elsewhere");
  });
});

describe("an answer from Google", () => {
  it("is accepted once, in the browser that requested it, with its state", async () => {
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

  it("is requested with a new state, nonce and challenge each time", async () => {
    const [one, two] = [(await press()).asked, (await press()).asked];
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(one.get(name)?.length, name).toBeGreaterThanOrEqual(22);
      expect(one.get(name), name).not.toBe(two.get(name));
    }
    expect([one.get("response_type"), one.get("code_challenge_method")]).toEqual(["code", "S256"]);
    expect(one.get("redirect_uri")).toBe(`${shop.url}/api/auth/callback/google`);
    expect(one.get("scope")?.split(" ").toSorted()).toEqual(["email", "openid", "profile"]);
  });

  it("identifies a customer by Google's id, not by the email", async () => {
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
    expect(await (await taker.fetch(taker.ledTo)).text()).toContain("is linked to another Google account");
    const { rows } = await database.pool.query(
      "SELECT account_id FROM accounts JOIN users ON users.id = user_id WHERE email = $1",
      [grace.email],
    );
    expect(rows).toEqual([{ account_id: grace.sub }]);
  });
});

describe("a provider with a wrong discovery document", async () => {
  const [issuer, elsewhere] = [`http://localhost:${await freePort()}`, `http://localhost:${await freePort()}`];
  const right = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    id_token_signing_alg_values_supported: ["RS256"],
  };
  let described: Partial<typeof right> | "redirect" = right;
  const strayed: string[] = [];
  const servers: Server[] = [];
  const serve = (origin: string, visited: string[]) => {
    const server = createServer((request, response) => {
      visited.push(request.url ?? "");
      if (origin === issuer && described === "redirect")
        return void response.writeHead(302, { Location: `${elsewhere}/.well-known/openid-configuration` }).end();
      response.setHeader("Content-Type", "application/json");
      return void response.end(JSON.stringify(described === "redirect" ? right : described));
    });
    servers.push(server);
    return new Promise<void>((done) => server.listen(Number(new URL(origin).port), done));
  };

  const env = {
    GOOGLE_CLIENT_ID: "a shop",
    GOOGLE_CLIENT_SECRET: "only for tests",
    GOOGLE_ISSUER: issuer,
    WORKER: "outside",
  };
  let shops: Shop[] = [];
  beforeAll(async () => {
    // A process reads a description with its own name once.
    shops = await Promise.all([1, 2].map(() => startShop({ DATABASE_URL: database.url, ...env })));
  });
  afterAll(async () => {
    await Promise.all(shops.map((one) => one.stop()));
    for (const server of servers) server.close();
  });
  const pressAt = (who: Visitor) => who.post("/auth", { intent: "google", redirect: "/" });

  it("is not needed for passwords, and is not redirected to", async () => {
    const who = new Visitor(shops[0]!.url);
    const silent = await pressAt(who);
    expect([silent.status, (await silent.text()).includes("Google isn’t answering right now.")]).toEqual([503, true]);
    const { email, password } = await actor("customer");
    expect((await signIn({ email, password, visitor: who })).status).toBe(303);

    await Promise.all([serve(issuer, []), serve(elsewhere, strayed)]);
    described = "redirect";
    expect((await pressAt(who)).status).toBe(503);
    expect(strayed).toEqual([]);
  });

  it("cannot have the visitor sent to another place", async () => {
    described = { ...right, authorization_endpoint: `${elsewhere}/auth` };
    const refused = await pressAt(new Visitor(shops[1]!.url));
    expect([refused.status, refused.headers.get("Location")]).toEqual([503, null]);
  });

  it("cannot have the client secret sent to another host", async () => {
    described = { ...right, token_endpoint: `${elsewhere}/token`, jwks_uri: `${elsewhere}/jwks` };
    const who = new Visitor(shops[0]!.url);
    const pressed = await pressAt(who);
    const state = new URL(pressed.headers.get("Location") ?? issuer).searchParams.get("state") ?? "";
    expect(state).not.toBe("");
    const back = await who.fetch(`/api/auth/callback/google?code=a&state=${encodeURIComponent(state)}`);
    expect(back.headers.get("Location")).toMatch(/error=/);
    expect(strayed).toEqual([]);
  });
});
