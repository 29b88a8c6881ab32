/** The API on a port of this machine, for programs here alone. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Report } from "../../../shop/report.ts";
import { failure, refuse, type Answer } from "./answer.ts";
import type { Call, Silence } from "./calls.ts";

export const HOST = "127.0.0.1";
const MAX_BODY_BYTES = 256 * 1024;
/** Longer than clients keep a connection, so that none is closed just as a call is sent on it. */
const KEPT_MS = 65_000;

const headerOf = (request: IncomingMessage, name: string) => {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
};

/** Null where it is longer than any call of the API. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString();
}

async function callOf(request: IncomingMessage): Promise<Call | null> {
  const body = await bodyOf(request);
  if (body === null) return null;
  const [path = "/", query = ""] = (request.url ?? "/").split("?", 2);
  return {
    method: request.method ?? "GET",
    path,
    query,
    body,
    headers: {
      authorization: headerOf(request, "authorization"),
      idempotencyKey: headerOf(request, "idempotency-key"),
      version: headerOf(request, "stripe-version"),
    },
  };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(body);
}

type Handler = (call: Call) => Promise<Answer | Silence>;

async function handle(request: IncomingMessage, response: ServerResponse, answer: Handler): Promise<void> {
  const call = await callOf(request);
  if (!call) {
    send(response, refuse(413, { type: "invalid_request_error", message: "The request is too large." }));
    return;
  }
  const said = await answer(call);
  if (said === "cut") request.socket.destroy();
  else if (said !== "hang") send(response, said);
}

/** Listens on `port`, or on one that is free. */
export async function listen(port: number, answer: Handler, report: Report): Promise<{ server: Server; port: number }> {
  const server = createServer({ keepAliveTimeout: KEPT_MS }, (request, response) => {
    handle(request, response, answer).catch((error: unknown) => {
      report(error, "the payment sandbox could not answer a call");
      if (response.headersSent) request.socket.destroy();
      else send(response, failure());
    });
  });
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(port, HOST, done);
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The payment sandbox has no port.");
  return { server, port: address.port };
}

/** Those who still wait for an answer get none. */
export const close = (server: Server): Promise<void> =>
  new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
