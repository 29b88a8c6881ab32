import { createHash, generateKeySync } from "node:crypto";
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from "jose";
import { expect, it } from "vitest";
import { openGoogleSandbox } from "./provider.ts";

const issuer = "http://localhost:3000/google-sandbox";
const client = { id: "shop", secret: "its secret", redirectUri: "http://localhost:3000/back" };
const open = () => openGoogleSandbox({ issuer, client, codeKey: generateKeySync("hmac", { length: 256 }) });
type Sandbox = ReturnType<typeof open>;
type Fields = Record<string, string>;

const verifier = "a-verifier";
const asked = {
  client_id: client.id,
  redirect_uri: client.redirectUri,
  response_type: "code",
  scope: "openid email profile",
  state: "a-state",
  nonce: "a-nonce",
  code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  code_challenge_method: "S256",
};

const post = (sandbox: Sandbox, path: string, fields: Fields) =>
  sandbox.handle(new Request(issuer + path, { method: "POST", body: new URLSearchParams(fields) }));
const choose = (sandbox: Sandbox, form: Fields, change: Fields = {}) =>
  post(sandbox, `/authorize?${new URLSearchParams({ ...asked, ...change })}`, form);
const answerOf = (response: Response) =>
  Object.fromEntries(new URL(response.headers.get("Location") ?? "http://none").searchParams);

/** The answer of the token endpoint to the code of an account. */
async function exchange(sandbox: Sandbox, change: Fields = {}, form: Fields = { account: "grace.hopper@example.com" }) {
  const { code = "" } = answerOf(await choose(sandbox, form));
  return post(sandbox, "/token", {
    client_id: client.id,
    client_secret: client.secret,
    redirect_uri: client.redirectUri,
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    ...change,
  });
}

it.each([
  [
    { account: "alan.turing@example.com" },
    { email: "alan.turing@example.com", email_verified: false, name: "Alan Turing" },
  ],
  [
    { email: "ada@example.com", firstName: " Ada", lastName: "", verified: "on" },
    { email: "ada@example.com", email_verified: true, name: "Ada" },
  ],
])("%j is signed in by an ID token", async (form, claims) => {
  const sandbox = open();
  const { id_token } = (await (await exchange(sandbox, {}, form)).json()) as { id_token: string };
  const keys = (await (await sandbox.handle(new Request(`${issuer}/keys`))).json()) as JSONWebKeySet;
  const { payload } = await jwtVerify(id_token, createLocalJWKSet(keys), { issuer, audience: client.id });
  expect(payload).toMatchObject({ ...claims, nonce: "a-nonce" });
});

it.each<[Fields, number, string]>([
  [{ client_secret: "another" }, 401, "invalid_client"],
  [{ client_id: "another" }, 401, "invalid_client"],
  [{ redirect_uri: "http://localhost:3000/elsewhere" }, 400, "invalid_request"],
  [{ grant_type: "refresh_token" }, 400, "invalid_request"],
  [{ code_verifier: "another" }, 400, "invalid_grant"],
  [{ code: "made-up" }, 400, "invalid_grant"],
])("a code is not exchanged with %j", async (change, status, error) => {
  const refused = await exchange(open(), change);
  expect([refused.status, await refused.json()]).toEqual([status, { error }]);
});

it.each(Object.keys(asked))("a request with another %s has no account to choose", async (name) => {
  const refused = await choose(open(), { account: "grace.hopper@example.com" }, { [name]: "" });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(`Missing or wrong: ${name}.`)]);
});

it("who cancels goes back with the state, and who types no email is asked again", async () => {
  const canceled = await choose(open(), { error: "access_denied" });
  expect(answerOf(canceled)).toEqual({ error: "access_denied", state: "a-state" });
  const again = await choose(open(), { email: "<ada", firstName: "Ada", lastName: "L" });
  expect([again.status, await again.text()]).toEqual([422, expect.stringContaining('value="&lt;ada"')]);
});
