import { randomBytes } from "node:crypto";
import { renderToReadableStream } from "react-dom/server";
import {
  isRouteErrorResponse,
  ServerRouter,
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
} from "react-router";
import { afterFirstPaint } from "./http/after-first-paint.ts";
import { contentSecurityPolicy } from "#platform/content-security-policy.ts";
import { reportFailure } from "#platform/failure.ts";

/**
 * Renders the document completely before sending: the hashes of its inline scripts go into its headers, and its bytes
 * are cached.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
): Promise<Response> {
  let failure: unknown;
  const nonce = randomBytes(16).toString("hex");
  const stream = await renderToReadableStream(
    <ServerRouter context={routerContext} url={request.url} nonce={nonce} />,
    {
      nonce,
      // A large Suspense boundary would be inserted by a script, and be missing without JavaScript.
      progressiveChunkSize: Infinity,
      // Inside a Suspense boundary an error does not reject the rendering.
      onError(error) {
        failure ??= error;
      },
    },
  );
  await stream.allReady;
  // The router reports the error and renders the error page in this one's place.
  if (failure !== undefined) throw failure;
  const rendered = await new Response(stream).text();
  const marked = import.meta.env.PROD ? afterFirstPaint(rendered, nonce) : rendered;
  const { html, policy } = contentSecurityPolicy(marked, nonce, new URL(request.url).pathname);
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (import.meta.env.PROD) headers.set("Content-Security-Policy", policy);
  return new Response(html, { status, headers });
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // An unsupported method is a client error.
  const isRefusal = isRouteErrorResponse(error) && error.status < 500;
  if (isRefusal || request.signal.aborted) return;
  reportFailure(error, context as RouterContextProvider);
};
