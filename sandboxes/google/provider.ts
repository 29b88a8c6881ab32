/** An OpenID provider in Google's place for trials and tests: whoever signs in says who they are. See README.md. */
import { createHash, randomBytes, type KeyObject } from "node:crypto";
import { Hono, type Context } from "hono";
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { redirect, respond } from "../stripe/page.ts";
import { accountPage, refusalPage } from "./page-html.ts";
import { readPerson } from "./people.ts";

type Options = {
  issuer: string;
  client: { id: string; secret: string; redirectUri: string };
  /** Signs codes, so that each process may take those of another. */
  codeKey: KeyObject;
};

const KID = "google-sandbox";

export function openGoogleSandbox({ issuer, client, codeKey }: Options) {
  // Read by this process alone, which asks itself.
  let made: ReturnType<typeof generateKeyPair> | undefined;
  const keys = () => (made ??= generateKeyPair("ES256"));

  const authorization = z.object({
    client_id: z.literal(client.id),
    redirect_uri: z.literal(client.redirectUri),
    response_type: z.literal("code"),
    scope: z.string().regex(/\bopenid\b/),
    state: z.string().min(1),
    nonce: z.string().min(1),
    code_challenge: z.string().length(43),
    code_challenge_method: z.literal("S256"),
  });
  const code = z.object({ person: z.record(z.string(), z.unknown()), nonce: z.string(), challenge: z.string() });
  const exchange = z.object({
    client_id: z.literal(client.id),
    client_secret: z.literal(client.secret),
    redirect_uri: z.literal(client.redirectUri),
    grant_type: z.literal("authorization_code"),
    code: z.string(),
    code_verifier: z.string(),
  });

  const app = new Hono().basePath(new URL(issuer).pathname);

  app.get("/.well-known/openid-configuration", (c) =>
    c.json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["ES256"],
      token_endpoint_auth_methods_supported: ["client_secret_post"],
      code_challenge_methods_supported: ["S256"],
    }),
  );

  app.get("/keys", async (c) =>
    c.json({ keys: [{ ...(await exportJWK((await keys()).publicKey)), kid: KID, alg: "ES256", use: "sig" }] }),
  );

  app.on(["GET", "POST"], "/authorize", async (c) => {
    const asked = authorization.safeParse(c.req.query());
    if (!asked.success) return respond(400, refusalPage(asked.error.issues.map(({ path }) => path.join())));
    const { redirect_uri, state, nonce, code_challenge: challenge } = asked.data;
    if (c.req.method === "GET") return respond(200, accountPage());
    const back = (answer: Record<string, string>) =>
      redirect(`${redirect_uri}?${new URLSearchParams({ ...answer, state })}`);
    const form = new URLSearchParams(await c.req.text());
    const error = form.get("error");
    if (error) return back({ error });
    const person = readPerson(form);
    if (!person) return respond(422, accountPage(form));
    const token = new SignJWT({ person, nonce, challenge }).setProtectedHeader({ alg: "HS256" });
    return back({ code: await token.setExpirationTime("60s").sign(codeKey) });
  });

  const refuse = (c: Context, status: 400 | 401, error: string) => c.json({ error }, status);

  app.post("/token", async (c) => {
    const asked = exchange.safeParse(Object.fromEntries(new URLSearchParams(await c.req.text())));
    if (!asked.success) {
      const isClient = asked.error.issues.some(({ path }) => path.join().startsWith("client_"));
      return isClient ? refuse(c, 401, "invalid_client") : refuse(c, 400, "invalid_request");
    }
    const verifier = createHash("sha256").update(asked.data.code_verifier).digest("base64url");
    const { data } = code.safeParse(
      await jwtVerify(asked.data.code, codeKey).then(
        ({ payload }) => payload,
        () => null,
      ),
    );
    if (data?.challenge !== verifier) return refuse(c, 400, "invalid_grant");
    const idToken = new SignJWT({ ...data.person, nonce: data.nonce })
      .setProtectedHeader({ alg: "ES256", kid: KID })
      .setIssuer(issuer)
      .setAudience(client.id)
      .setIssuedAt()
      .setExpirationTime("1h");
    return c.json({
      access_token: randomBytes(16).toString("base64url"),
      token_type: "Bearer",
      expires_in: 3600,
      scope: "openid email profile",
      id_token: await idToken.sign((await keys()).privateKey),
    });
  });

  return { handle: (request: Request) => app.fetch(request) };
}
