/** A request says once which shop it is for: two Host headers may be read differently by a proxy and by us. */
import type { RequestListener } from "node:http";
import { refusalHeaders } from "./answer-headers.ts";

const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

function hasOneHost(headers: string[]): boolean {
  let count = 0;
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count === 1;
}

/** Refuses with 400 what has no Host, two of them, or one that is no name or address. `baseUrl` is the shop's. */
export function withOneHost(listener: RequestListener, baseUrl: string): RequestListener {
  return (request, response) => {
    if (hasOneHost(request.rawHeaders) && HOST.test(request.headers.host ?? "")) return listener(request, response);
    response.writeHead(400, {
      ...refusalHeaders(baseUrl),
      "Content-Type": "text/plain; charset=utf-8",
      Connection: "close",
    });
    response.end("This request does not say clearly which shop it is for. Use the shop's own address.");
  };
}
