/** An OpenID provider whose own description says that it is somebody else, or sends the shop elsewhere. */
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeActor } from "../../support/actors.ts";
import { freePort } from "../../support/shop.ts";
import { useShop } from "../../support/use-shop.ts";

const issuer = `http://localhost:${await freePort()}`;
const elsewhere = `http://localhost:${await freePort()}`;
const right = {
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  id_token_signing_alg_values_supported: ["RS256"],
};
let described: object | "redirect" = right;
let servers: Server[];
const visits: string[] = [];
const strayed: string[] = [];

beforeAll(async () => {
  const serve = (origin: string, visited: string[]) =>
    createServer((request, response) => {
      visited.push(request.url ?? "");
      if (origin === issuer && described === "redirect") {
        response.writeHead(302, { Location: `${elsewhere}/.well-known/openid-configuration` }).end();
        return;
      }
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(described === "redirect" ? right : described));
    }).listen(Number(new URL(origin).port));
  servers = [serve(issuer, visits), serve(elsewhere, strayed)];
});
afterAll(() => servers.forEach((server) => server.close()));

const env = { GOOGLE_CLIENT_ID: "a shop", GOOGLE_CLIENT_SECRET: "only for tests", GOOGLE_ISSUER: issuer };
const [honest, other, redirected, led, sent] = [useShop(env), useShop(env), useShop(env), useShop(env), useShop(env)];
const [keyed, silent] = [useShop(env), useShop(env)];
const lonely = useShop({ ...env, GOOGLE_ISSUER: `http://localhost:${await freePort()}` });
const press = ({ visitor }: ReturnType<typeof useShop>) => visitor.post("/auth", { intent: "google", redirect: "/" });

it("is asked nothing, at no step of the sign-in", async () => {
  described = right;
  expect((await press(honest)).headers.get("Location")).toMatch(`${issuer}/auth?`);

  described = { ...right, issuer: `${issuer}/somebody-else` };
  const refused = await press(other);
  expect(refused.status).toBe(503);
  expect(await refused.text()).toContain("Google does not answer right now.");
  const asked = visits.length;
  const back = await other.visitor.fetch("/api/auth/callback/google?code=a&state=b");
  expect(back.headers.get("Location")).toMatch(/error=/);
  expect(visits).toHaveLength(asked);
});

it.each([
  ["also by a key that both know", keyed, ["RS256", "HS256"]],
  ["nobody knows how", silent, undefined],
])("is not asked where it would sign %s", async (_case, shop, algorithms) => {
  described = { ...right, id_token_signing_alg_values_supported: algorithms };
  expect((await press(shop)).status).toBe(503);
});

it("is not needed by a password where nobody answers", async () => {
  const { email, password } = await makeActor(lonely.database.pool, lonely.shop.url, "", "customer");
  const pressed = await press(lonely);
  expect(pressed.status).toBe(503);
  expect(await pressed.text()).toContain("Google does not answer right now.");
  const signedIn = await lonely.visitor.post("/auth", { intent: "sign-in", email, password, redirect: "/" });
  expect([signedIn.status, signedIn.headers.get("Location")]).toEqual([303, "/"]);
  expect((await lonely.visitor.fetch("/account")).status).toBe(200);
});

it("is not followed to another place by a redirect", async () => {
  described = "redirect";
  expect((await press(redirected)).status).toBe(503);
  expect(strayed).toEqual([]);
});

it("cannot have the visitor sent to another place", async () => {
  described = { ...right, authorization_endpoint: `${elsewhere}/auth` };
  const refused = await press(sent);
  expect([refused.status, refused.headers.get("Location")]).toEqual([503, null]);
});

it("cannot have the shop's client secret sent to another place", async () => {
  described = { ...right, token_endpoint: `${elsewhere}/token`, jwks_uri: `${elsewhere}/jwks` };
  const pressed = await press(led);
  const state = new URL(pressed.headers.get("Location") ?? issuer).searchParams.get("state") ?? "";
  expect(state).not.toBe("");
  const back = await led.visitor.fetch(`/api/auth/callback/google?code=a&state=${encodeURIComponent(state)}`);
  expect(back.headers.get("Location")).toMatch(/error=/);
  expect(strayed).toEqual([]);
});
