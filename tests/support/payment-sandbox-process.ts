/** The payment sandbox as a process, with its page at another origin than the shop's. Its options come on its input. */
import { serve } from "@hono/node-server";
import { startPaymentSandbox } from "#sandboxes/stripe/start.ts";
import type { Ready, SandboxOptions } from "./payment-sandbox.ts";

function read(): Promise<SandboxOptions> {
  return new Promise((done) => {
    process.stdin.once("data", (line: Buffer) => done(JSON.parse(line.toString())));
  });
}

const { databaseUrl, webhook, ports } = await read();
const pageUrl = `http://127.0.0.1:${ports.page}`;
const sandbox = await startPaymentSandbox({
  databaseUrl,
  baseUrl: pageUrl,
  webhook,
  port: ports.api,
  control: true,
  report: (error, what) => console.error(what, error),
});
const page = serve({ fetch: (request) => sandbox.handlePage(request), hostname: "127.0.0.1", port: ports.page }, () => {
  const { apiUrl, host, payPal, port, secretKey } = sandbox;
  const ready: Ready = { apiUrl, host, payPal, port, secretKey, pageUrl };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
});

// It ends with the test that started it, however that ends.
process.stdin.once("end", () => {
  page.close();
  void sandbox.stop().then(() => process.exit(0));
});
process.stdin.resume();
