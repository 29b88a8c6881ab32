/** An OpenID provider that says whatever a test has it say, right or wrong. */
import { createServer, type IncomingMessage } from "node:http";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from "jose";
import { freePort } from "./shop.ts";

export type Answer = { idToken?: string | undefined; status?: number; headers?: Record<string, string> };
type Keys = { publicKey: CryptoKey; privateKey: CryptoKey };

export type ForgingProvider = {
  issuer: string;
  clientId: string;
  env: Record<string, string>;
  keys: Keys;
  /** What the token endpoint answers next. */
  answer: (asked: URLSearchParams) => Answer | Promise<Answer>;
  /** What was asked of other addresses than the three that a sign-in needs. */
  strayed: string[];
  sign(claims: JWTPayload, more?: { keys?: Keys; header?: Record<string, string> }): Promise<string>;
  stop(): Promise<void>;
};

const KID = "the-one";

export const newKeys = (): Promise<Keys> => generateKeyPair("RS256", { modulusLength: 2048 });

async function read(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

export async function startForgingProvider(): Promise<ForgingProvider> {
  const issuer = `http://localhost:${await freePort()}`;
  const clientId = "polara-test";
  const keys = await newKeys();
  const publicKeys = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: KID, alg: "RS256", use: "sig" }] };
  const provider: ForgingProvider = {
    issuer,
    clientId,
    keys,
    env: { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: "only-for-tests", GOOGLE_ISSUER: issuer },
    answer: () => ({}),
    strayed: [],
    sign: (claims, { keys: by = keys, header = {} } = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: KID, ...header }).sign(by.privateKey),
    stop: () =>
      new Promise((done) => {
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
