/** The sandbox in Google's place, in the process of a shop on this machine. */
import type { Config } from "#platform/config.server.ts";
import { purposeKey } from "#shop/purpose-key.server.ts";
import { singleton } from "#shop/singleton.ts";

type Sandbox = ReturnType<typeof import("#sandboxes/google/provider.ts").openGoogleSandbox>;

const opened = singleton("google sandbox", () => ({}) as { sandbox?: Promise<Sandbox> });

/** Opens on first use. A code of one process is good for the next, since its key is derived from the secret. */
export const googleSandboxOf = ({ google, baseUrl, secret }: Config): Promise<Sandbox> =>
  (opened.sandbox ??= (async () => {
    const { openGoogleSandbox } = await import("#sandboxes/google/provider.ts");
    const { clientId, clientSecret, issuer } = google!;
    const client = { id: clientId, secret: clientSecret, redirectUri: `${baseUrl}/api/auth/callback/google` };
    return openGoogleSandbox({ issuer, client, codeKey: purposeKey(secret, "google sandbox") });
  })());

/** `fetch` that asks the sandbox in this process: the shop's own address may lead to a proxy. */
export function withGoogleSandbox(config: Config, fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  const { google } = config;
  if (google?.by !== "sandbox") return fetch;
  return async (input, init) => {
    const { href } = new URL(input instanceof Request ? input.url : input);
    if (!href.startsWith(`${google.issuer}/`)) return fetch(input, init);
    return (await googleSandboxOf(config)).handle(new Request(input, init));
  };
}
