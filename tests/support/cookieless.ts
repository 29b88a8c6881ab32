/** A browser that blocks cookies: the shop gets none and keeps none there, and pages are told so. */
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";

/** Returns the address at which the page reaches the shop without cookies, and a function that ends it. */
export async function blockCookies(page: Page, url: string): Promise<{ url: string; close: () => void }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setDocumentCookieDisabled", { disabled: true });
  const server = createServer((incoming, outgoing) => {
    const { cookie: _cookie, ...headers } = incoming.headers;
    const { method, url: path = "/" } = incoming;
    const asked = request(new URL(path, url), { method, headers }, (answer) => {
      const { "set-cookie": _kept, ...rest } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, rest);
      answer.pipe(outgoing);
    });
    asked.on("error", () => outgoing.destroy());
    incoming.pipe(asked);
  });
  await new Promise<void>((done) => server.listen(0, "localhost", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
