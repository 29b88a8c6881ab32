/** A payment provider for trials and tests that stands in for Stripe: its API on a port of its own, its page, its webhooks. */
import type { Report } from "../../shop/report.ts";
import { openDatabase } from "../../db/connection.server.ts";
import { answerCall } from "./api/calls.ts";
import { close, HOST, listen } from "./api/listener.ts";
import { routes } from "./api/routes.ts";
import { answerControl, CONTROL } from "./control.ts";
import { openPage } from "./page/handler.ts";
import { prepareSchema } from "./schema.ts";
import { settleAllDue } from "./store.ts";
import { deliverDue, type Webhook } from "./webhooks.ts";

export type PaymentSandboxOptions = {
  databaseUrl: string;
  /** Where the page is reached, without a slash at its end. */
  baseUrl: string;
  /** Null where nobody is told of events. */
  webhook: Webhook | null;
  /** Of the API; one that is free where it is left out. */
  port?: number;
  /** For tests: lets faults be ordered. */
  control?: boolean;
  report: Report;
};

export type PaymentSandbox = {
  /** Where the SDK calls, by http. */
  host: string;
  port: number;
  secretKey: string;
  /** Answers everything below /payment-sandbox/. */
  handlePage(request: Request): Promise<Response>;
  stop(): Promise<void>;
};

const CONNECTIONS = 5;
/** How often is looked for what time has brought, and for webhooks that another process has left. */
const ROUND_MS = 500;

export async function startPaymentSandbox(options: PaymentSandboxOptions): Promise<PaymentSandbox> {
  const { databaseUrl, baseUrl, webhook, control = false, report } = options;
  const { pool } = openDatabase(databaseUrl, CONNECTIONS);
  const secretKey = await prepareSchema(pool, webhook !== null).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });

  const stopping = new AbortController();
  let round: Promise<void> | null = null;
  let isWanted = false;
  let isFailing = false;
  /** One round at a time; what comes up meanwhile has another one. */
  function work(): void {
    isWanted = true;
    if (stopping.signal.aborted) return;
    round ??= (async () => {
      while (isWanted && !stopping.signal.aborted) {
        isWanted = false;
        await settleAllDue(pool);
        if (webhook) await deliverDue(pool, webhook, stopping.signal, report);
        isFailing = false;
      }
    })()
      .catch((error: unknown) => {
        // Once, while the database is away.
        if (!isFailing) report(error, "the payment sandbox could not do its round");
        isFailing = true;
      })
      .finally(() => (round = null));
  }

  const page = openPage(pool, baseUrl);
  const given = { pool, routes: routes(page.addressOf), secretKey, control, webhook, stopped: stopping.signal };
  const { server, port } = await listen(
    options.port ?? 0,
    async (call) => {
      const isControl = control && call.path.startsWith(CONTROL);
      const answer = await (isControl ? answerControl(given, call) : answerCall(given, call));
      if (call.method !== "GET") work();
      return answer;
    },
    report,
  ).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  const timer = setInterval(work, ROUND_MS);
  work();

  return {
    host: HOST,
    port,
    secretKey,
    async handlePage(request) {
      const response = await page.handle(request);
      if (request.method === "POST") work();
      return response;
    },
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await close(server);
      await round;
      await pool.end();
    },
  };
}
