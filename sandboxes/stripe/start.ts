/** The sandbox of Stripe and PayPal for trials and tests: APIs on a local port, payment pages and webhooks. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import pg from "pg";
import { openPayPalPage } from "../paypal/page.ts";
import { payPalRoutes } from "../paypal/routes.ts";
import { CLIENT_ID, WEBHOOK_ID } from "../paypal/signature.ts";
import { applyAllDueOrders } from "../paypal/store.ts";
import { answerCall } from "./api.ts";
import { answerControl } from "./control.ts";
import { openPage } from "./page.ts";
import { routes } from "./routes.ts";
import { prepareSchema, applyAllDue } from "./store.ts";
import { taxRoutes } from "./tax.ts";
import { deliverDue, releaseWebhooks, type Webhook } from "./webhooks.ts";

type PaymentSandboxOptions = {
  databaseUrl: string;
  /** The origin of the payment page. */
  baseUrl: string;
  webhook: Omit<Webhook, "now"> | null;
  /** By default a free port. */
  port?: number;
  /** Accepts the orders of control.ts. */
  control?: boolean;
  /** Milliseconds ahead of this machine. */
  clockOffsetMs?: number;
  report: (error: unknown, context: string) => void;
};

/** `host` and `port` are the API's address for the SDK; `handlePage` serves /payment-sandbox/. */
export type PaymentSandbox = Awaited<ReturnType<typeof startPaymentSandbox>>;

const HOST = "127.0.0.1";
const CONNECTIONS = 5;
/** The interval of timed transitions and of webhooks left by other processes. */
const ROUND_MS = 500;
/** Longer than clients keep connections alive, so that none is closed under a call. */
const KEEP_ALIVE_MS = 65_000;

export async function startPaymentSandbox(options: PaymentSandboxOptions) {
  const { databaseUrl, baseUrl, control = false, clockOffsetMs = 0, report } = options;
  const now = () => new Date(Date.now() + clockOffsetMs);
  const webhook = options.webhook && { ...options.webhook, now };
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS, connectionTimeoutMillis: 5_000 });
  // A broken connection would otherwise end the process; the next query reports it.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const endPool = async (error: unknown) => {
    await pool.end();
    throw error;
  };
  const secretKey = await prepareSchema(pool, webhook !== null, clockOffsetMs).catch(endPool);
  const stopping = new AbortController();
  const rounds = startRounds(stopping.signal, report, async () => {
    await applyAllDue(pool);
    await applyAllDueOrders(pool);
    if (webhook) await deliverDue(pool, webhook, stopping.signal);
  });

  const page = openPage(pool, baseUrl, now);
  const payPal = openPayPalPage(pool, baseUrl);
  const payPalApi = payPalRoutes({ pageUrl: payPal.addressOf, token: secretKey, webhookSecret: webhook?.secret ?? "" });
  const api = { pool, routes: [...routes(page.addressOf), ...taxRoutes, ...payPalApi], secretKey };
  const controlled = control
    ? (path: string, request: Request) =>
        answerControl(pool, path, request, (isReversed) => releaseWebhooks(pool, webhook, isReversed, stopping.signal))
    : null;
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS },
    getRequestListener(async (request, { incoming }) => {
      const answer = await answerCall(api, request, controlled).catch((error: unknown) => {
        report(error, "the payment sandbox could not answer a call");
        return new Response(null, { status: 500 });
      });
      if (request.method !== "GET") rounds.wake();
      if (answer instanceof Response) return answer;
      if (answer === "cut") incoming.socket.destroy();
      return new Promise<never>(() => {});
    }),
  );
  const port = await listen(server, options.port ?? 0).catch(endPool);
  rounds.wake();

  const apiUrl = `http://${HOST}:${port}`;
  return {
    host: HOST,
    port,
    apiUrl,
    secretKey,
    payPal: { clientId: CLIENT_ID, secret: secretKey, webhookId: WEBHOOK_ID, apiUrl: `${apiUrl}/paypal` },
    async handlePage(request: Request): Promise<Response> {
      const response = (await payPal.handle(request)) ?? (await page.handle(request));
      if (request.method === "POST") rounds.wake();
      return response;
    },
    async stop(): Promise<void> {
      stopping.abort();
      // Pending calls get no response.
      await new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      });
      await rounds.ended();
      await pool.end();
    },
  };
}

/** Runs `run` every half second and after `wake`, one at a time. */
function startRounds(stopped: AbortSignal, report: PaymentSandboxOptions["report"], run: () => Promise<void>) {
  let round = Promise.resolve();
  let isQueued = false;
  const wake = (): void => {
    if (isQueued || stopped.aborted) return;
    isQueued = true;
    round = round
      .then(() => {
        isQueued = false;
        return stopped.aborted ? undefined : run();
      })
      .catch((error: unknown) => report(error, "the payment sandbox could not do its round"));
  };
  const timer = setInterval(wake, ROUND_MS);
  stopped.addEventListener("abort", () => clearInterval(timer));
  return { wake, ended: () => round };
}

async function listen(server: Server, port: number): Promise<number> {
  await once(server.listen(port, HOST), "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The payment sandbox has no port.");
  return address.port;
}
