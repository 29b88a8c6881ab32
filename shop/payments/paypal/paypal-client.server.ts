/** Calls of PayPal's REST API, with an access token that is kept until it expires. */
import { clock } from "#shop/clock.ts";
import { z } from "#shop/zod.ts";
import { ProviderError } from "../provider.ts";

const TIMEOUT_MS = 10_000;
/** A token is renewed this long before its end. */
const SPARE_MS = 60_000;

/** The app at PayPal. `apiUrl` is reached through `fetch`. */
export type PayPalConnect = () => Promise<{
  clientId: string;
  secret: string;
  /** Null where PayPal sends no webhooks. */
  webhookId: string | null;
  apiUrl: string;
  fetch?: typeof globalThis.fetch;
}>;

/** `key` is the idempotency key; a `body` that is text is JSON already. */
type Sent = { key?: string; body?: object | string };

/** PayPal's reason for refusing a call: the `cause` of its ProviderError. */
export type PayPalRefusal = { status: number; issue: string };

const tokenSchema = z.object({ access_token: z.string(), expires_in: z.number() });
const refusalSchema = z.object({
  name: z.string().optional(),
  details: z.array(z.object({ issue: z.string() })).optional(),
});

/** `call` throws a ProviderError if the call was not carried out. */
export function payPalClient(connect: PayPalConnect) {
  let token = { value: "", until: 0 };

  async function accessToken(): Promise<string> {
    const now = clock.now().getTime();
    if (token.until > now) return token.value;
    const { clientId, secret } = await connect();
    const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}`;
    const body = "grant_type=client_credentials";
    const type = "application/x-www-form-urlencoded";
    const granted = await send("POST", "/v1/oauth2/token", tokenSchema, { authorization, type, body });
    token = { value: granted.access_token, until: now + granted.expires_in * 1000 - SPARE_MS };
    return token.value;
  }

  async function send<Schema extends z.ZodType>(
    method: "GET" | "POST",
    path: string,
    schema: Schema,
    { authorization, type, key, body }: { authorization: string; type: string; key?: string; body?: string },
  ): Promise<z.output<Schema>> {
    const { apiUrl, fetch = globalThis.fetch } = await connect();
    try {
      const response = await fetch(`${apiUrl}${path}`, {
        method,
        headers: {
          Authorization: authorization,
          "Content-Type": type,
          Prefer: "return=representation",
          ...(key && { "PayPal-Request-Id": key }),
        },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const answer: unknown = JSON.parse((await response.text()) || "{}");
      if (!response.ok) throw refusal(response.status, answer);
      return schema.parse(answer);
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      // Without an understandable answer, the outcome is unknown.
      throw new ProviderError("away", { cause: error });
    }
  }

  return async function call<Schema extends z.ZodType>(
    method: "GET" | "POST",
    path: string,
    schema: Schema,
    { key, body = method === "POST" ? {} : undefined }: Sent = {},
  ): Promise<z.output<Schema>> {
    return send(method, path, schema, {
      authorization: `Bearer ${await accessToken()}`,
      type: "application/json",
      ...(key && { key }),
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    }).catch((error: unknown) => {
      if (refusalOf(error)?.status === 401) token = { value: "", until: 0 };
      throw error;
    });
  };

  /** PayPal repeats its answer for a key also after a 5xx, so that such a call is sent again. */
  function refusal(status: number, answer: unknown): ProviderError {
    const { name, details } = refusalSchema.catch({}).parse(answer);
    const cause: PayPalRefusal = { status, issue: details?.[0]?.issue ?? name ?? "refused" };
    if (status >= 500) return new ProviderError("away", { cause });
    // Wrong credentials say nothing about a payment.
    if (status === 401 || status === 403) return new ProviderError("denied", { cause });
    // Status 409: the same key is in progress.
    return new ProviderError(status === 409 || status === 429 ? "busy" : "refused", { cause });
  }
}

export function refusalOf(error: unknown): PayPalRefusal | null {
  const cause = error instanceof ProviderError ? (error.cause as Partial<PayPalRefusal> | undefined) : undefined;
  return cause?.status !== undefined && cause.issue !== undefined ? (cause as PayPalRefusal) : null;
}
