/** The payment sandbox in its own process, with faults on demand. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import Stripe from "stripe";
import type { Books, Order } from "#sandboxes/stripe/control.ts";
import type { PaymentSandbox } from "#sandboxes/stripe/start.ts";
import { freePort } from "./shop.ts";

export type SandboxOptions = {
  databaseUrl: string;
  webhook: { url: string; secret: string } | null;
  ports: { api: number; page: number };
};
export type Ready = Pick<PaymentSandbox, "apiUrl" | "host" | "payPal" | "port" | "secretKey"> & { pageUrl: string };

export type TestPaymentSandbox = Ready & {
  webhookSecret: string;
  stripe: Stripe;
  control(order: Order): Promise<void>;
  books(): Promise<Books>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** At the same addresses, after `stop` or `kill`. */
  restart(): Promise<void>;
};

const WEBHOOK_SECRET = "whsec_only_for_tests";

export const stripeAt = (
  { host, port, secretKey }: Pick<Ready, "host" | "port" | "secretKey">,
  timeout = 10_000,
): Stripe => new Stripe(secretKey, { host, port, protocol: "http", maxNetworkRetries: 0, telemetry: false, timeout });

async function run(options: SandboxOptions): Promise<{ child: ChildProcess; ended: Promise<unknown>; ready: Ready }> {
  const child = spawn(process.execPath, ["tests/support/payment-sandbox-process.ts"], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { PATH: process.env.PATH },
  });
  const ended = once(child, "exit");
  child.stdin.write(`${JSON.stringify(options)}\n`);
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    ended.then(() => Promise.reject(new Error("The payment sandbox did not start."))),
  ]);
  const ready: Ready = JSON.parse(String(line));
  return { child, ended, ready };
}

export async function startTestPaymentSandbox(databaseUrl: string, webhookUrl?: string): Promise<TestPaymentSandbox> {
  const options: SandboxOptions = {
    databaseUrl,
    webhook: webhookUrl ? { url: webhookUrl, secret: WEBHOOK_SECRET } : null,
    ports: { api: await freePort(), page: await freePort() },
  };
  let running = await run(options);
  const { ready } = running;
  const { apiUrl } = ready;
  const headers = { Authorization: `Bearer ${ready.secretKey}` };
  return {
    ...ready,
    webhookSecret: WEBHOOK_SECRET,
    stripe: stripeAt(ready),
    async control(order) {
      const response = await fetch(`${apiUrl}/control/orders`, {
        method: "POST",
        headers,
        body: JSON.stringify(order),
      });
      if (!response.ok) throw new Error(await response.text());
    },
    async books() {
      return JSON.parse(await (await fetch(`${apiUrl}/control/books`, { headers })).text());
    },
    async stop() {
      running.child.stdin?.end();
      await running.ended;
    },
    async kill() {
      running.child.kill("SIGKILL");
      await running.ended;
    },
    async restart() {
      running = await run(options);
    },
  };
}
