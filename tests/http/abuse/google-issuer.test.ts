/** An OpenID provider whose own description says that it is somebody else. */
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../support/shop.ts";
import { useShop } from "../../support/use-shop.ts";

const issuer = `http://localhost:${await freePort()}`;
let named = issuer;
let provider: Server;
const visits: string[] = [];

beforeAll(async () => {
  provider = createServer((request, response) => {
    visits.push(request.url ?? "");
    response.setHeader("Content-Type", "application/json");
    response.end(
      JSON.stringify({
        issuer: named,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ["RS256"],
      }),
    );
  });
  await new Promise<void>((done) => provider.listen(Number(new URL(issuer).port), done));
});
afterAll(() => provider.close());

const env = { GOOGLE_CLIENT_ID: "a shop", GOOGLE_CLIENT_SECRET: "only for tests", GOOGLE_ISSUER: issuer };
const honest = useShop(env);
const other = useShop(env);

it("is asked nothing, at no step of the sign-in", async () => {
  named = issuer;
  const sent = await honest.visitor.post("/auth", { intent: "google", redirect: "/" });
  expect(sent.headers.get("Location")).toMatch(`${issuer}/auth?`);

  named = `${issuer}/somebody-else`;
  const refused = await other.visitor.post("/auth", { intent: "google", redirect: "/" });
  expect(refused.status).toBe(503);
  expect(await refused.text()).toContain("Google does not answer right now.");
  const asked = visits.length;
  const back = await other.visitor.fetch("/api/auth/callback/google?code=a&state=b");
  expect(back.headers.get("Location")).toMatch(/error=/);
  expect(visits).toHaveLength(asked);
});
