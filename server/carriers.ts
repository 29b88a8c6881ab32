/** The provider of carriers by configuration: none, EasyPost, or the sandbox in this process. */
import type { Config } from "#platform/config.server.ts";
import { reportError } from "#platform/log.server.ts";
import type { CarrierProvider } from "#shop/carriers/carrier-provider.ts";
import { easyPost } from "#shop/carriers/easypost.server.ts";
import { purposeKey } from "#shop/purpose-key.server.ts";
import { settings } from "#shop/settings/settings.server.ts";
import { singleton } from "#shop/singleton.ts";
import { fetchOnly } from "./outbound.ts";

type Sandbox = Awaited<ReturnType<typeof import("#sandboxes/easypost/start.ts").startCarrierSandbox>>;

const started = singleton("carrier sandbox", () => ({}) as { sandbox?: Promise<Sandbox> });

/** Starts on first use. Its state is in the database, so that each process may run one. */
const sandboxOf = ({ databaseUrl, clockOffsetMs, secret }: Config): Promise<Sandbox> =>
  (started.sandbox ??= (async () => {
    const { startCarrierSandbox } = await import("#sandboxes/easypost/start.ts");
    const apiKey = purposeKey(secret, "carrier sandbox").export().toString("base64url");
    return startCarrierSandbox({ databaseUrl, apiKey, clockOffsetMs, report: reportError });
  })());

export async function stopCarrierSandbox(): Promise<void> {
  await (await started.sandbox)?.stop();
}

/** Null if tracking numbers are pasted. */
export function openCarriers(config: Config, fetch: typeof globalThis.fetch): CarrierProvider | null {
  const { carriers } = config;
  if (!carriers) return null;
  const from = () => ({ ...settings().parcels.shipFrom, line2: "" });
  if (carriers.by === "easypost") {
    const { apiKey, apiUrl, webhookSecret } = carriers;
    // The process's own `fetch` is limited to EasyPost once the shop runs.
    return easyPost({ webhookSecret, from, connect: async () => ({ apiKey, apiUrl, fetch: globalThis.fetch }) });
  }
  return easyPost({
    webhookSecret: null,
    from,
    async connect() {
      const { apiUrl, apiKey } = await sandboxOf(config);
      return { apiUrl, apiKey, fetch: fetchOnly([apiUrl], fetch) };
    },
  });
}
