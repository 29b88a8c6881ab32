/** An OpenID provider whose answers a test writes, valid or forged. */
import { createServer, type IncomingMessage } from "node:http";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from "jose";
import { freePort } from "./shop.ts";

export type Answer = { idToken?: string | undefined; status?: number; headers?: Record<string, string> };
type Keys = { publicKey: CryptoKey; privateKey: CryptoKey };

const KID = "the-one";

export const newKeys = (): Promise<Keys> => generateKeyPair("RS256", { modulusLength: 2048 });

async function read(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

export async function startForgingProvider() {
  const issuer = `http://localhost:${await freePort()}`;
  const clientId = "polara-test";
  const keys = await newKeys();
  const publicKeys = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: KID, alg: "RS256", use: "sig" }] };
  const sign = (claims: JWTPayload, { keys: by = keys, header = {} }: { keys?: Keys; header?: object } = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: KID, ...header }).sign(by.privateKey);
  const provider = {
    issuer,
    clientId,
    keys,
    env: { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: "only-for-tests", GOOGLE_ISSUER: issuer },
    /** The next answer of the token endpoint. */
    answer: (_asked: URLSearchParams): Answer | Promise<Answer> => ({}),
    /** Requests to unexpected addresses. */
    strayed: [] as string[],
    sign,
    /** The callback after the button, as the person with this email. */
    async backFrom(pressed: Response, email: string) {
      const asked = new URL(pressed.headers.get("Location") ?? "").searchParams;
      const now = Math.floor(Date.now() / 1000);
      const person = { sub: email, email, email_verified: true, name: "Grace", nonce: asked.get("nonce") ?? "" };
      const claims = { iss: issuer, aud: clientId, iat: now, exp: now + 300, ...person };
      provider.answer = async () => ({ idToken: await sign(claims) });
      return `/api/auth/callback/google?code=a&state=${encodeURIComponent(asked.get("state") ?? "")}`;
    },
    stop: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  const discovery = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    id_token_signing_alg_values_supported: ["RS256"],
  };
  const server = createServer((request, response) => {
    const json = (value: unknown, status = 200, headers = {}) =>
      response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(value));
    const { pathname } = new URL(request.url ?? "/", issuer);
    if (pathname === "/.well-known/openid-configuration") json(discovery);
    else if (pathname === "/jwks") json(publicKeys);
    else if (pathname === "/token") {
      void read(request)
        .then((form) => provider.answer(form))
        .then(({ idToken, status, headers }) =>
          json({ access_token: "an-access-token", token_type: "Bearer", id_token: idToken }, status, headers),
        )
        .catch((error: unknown) => json({ error: String(error) }, 500));
    } else {
      provider.strayed.push(pathname);
      json({ sub: "stray", email: "stray@example.com", email_verified: true });
    }
  });
  await new Promise<void>((done) => server.listen(Number(new URL(issuer).port), done));
  return provider;
}
