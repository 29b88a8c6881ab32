/** A real OpenID provider on loopback, in the place of Google: whoever signs in says who they are. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Provider from "oidc-provider";
import { freePort } from "./shop.ts";

type OpenIdPerson = { email: string; verified: boolean; firstName: string; lastName: string };

/** Starts the provider for a shop at `shopUrl`. */
export async function startOpenIdProvider(shopUrl: string) {
  const issuer = `http://localhost:${await freePort()}`;
  const people = new Map<string, OpenIdPerson>();
  let asked = new URLSearchParams();
  const client = { id: "polara-test", secret: "only-for-tests-only-for-tests" };

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${shopUrl}/api/auth/callback/google`],
        grant_types: ["authorization_code", "refresh_token"],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "given_name", "family_name"] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    async findAccount(_, sub) {
      const person = people.get(sub);
      if (!person) return undefined;
      const { email, verified, firstName, lastName } = person;
      return {
        accountId: sub,
        claims: async () => ({
          sub,
          email,
          email_verified: verified,
          name: `${firstName} ${lastName}`,
          given_name: firstName,
          family_name: lastName,
        }),
      };
    },
    cookies: { keys: ["only for tests"] },
  });
  const answer = provider.callback();

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params, prompt, uid } = await provider.interactionDetails(request, response);
    if (request.method !== "POST") {
      response.setHeader("Content-Type", "text/html");
      response.end(`<!doctype html><html lang="en"><title>Sign in to the provider</title><main><h1>Sign in to the provider</h1>
        <form method="post" action="/interaction/${uid}"><label>Email <input name="email"></label>
        <label>First name <input name="firstName" value="Grace"></label> <label>Last name <input name="lastName" value="Hopper"></label>
        <label><input type="checkbox" name="verified" checked> Verified</label> <button>Allow</button>
        <button name="deny" value="yes">Deny</button></form></main></html>`);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    if (form.get("deny")) {
      await provider.interactionFinished(request, response, { error: "access_denied" });
      return;
    }
    const email = form.get("email") ?? "";
    const sub = `sub-${email}`;
    people.set(sub, {
      email,
      verified: form.has("verified"),
      firstName: form.get("firstName") ?? "",
      lastName: form.get("lastName") ?? "",
    });
    const grant = new provider.Grant({ accountId: sub, clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(request, response, {
      login: { accountId: sub },
      consent,
      [prompt.name]: prompt.name === "login" ? { accountId: sub } : consent,
    });
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    if (url.pathname === "/auth") asked = url.searchParams;
    if (url.pathname === "/favicon.ico") response.writeHead(204).end();
    else if (url.pathname.startsWith("/interaction/")) {
      interact(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    } else void answer(request, response);
  });
  await new Promise<void>((done) => server.listen(Number(new URL(issuer).port), done));
  return {
    issuer,
    env: { GOOGLE_CLIENT_ID: client.id, GOOGLE_CLIENT_SECRET: client.secret, GOOGLE_ISSUER: issuer },
    /** The query of the last authorization request. */
    asked: () => asked,
    stop: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
