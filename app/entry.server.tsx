import { randomBytes } from "node:crypto";
import { renderToReadableStream } from "react-dom/server";
import {
  isRouteErrorResponse,
  ServerRouter,
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
} from "react-router";
import { contentSecurityPolicy } from "./http/content-security-policy.ts";
import { reportFailure } from "./http/failure.ts";
import { reportError } from "./http/log.server.ts";
import { stagedScripts } from "./http/staged-scripts.ts";
import { Nonce } from "./http/nonce.ts";
import { EARLY_PRESSES } from "./ui/chrome/early-presses.ts";
import { ALL_STYLES, PageStyles } from "./ui/chrome/stylesheets.tsx";

/** Renders a document whole: the inline scripts that we wrote are hashed and its bytes cached before it is sent. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
): Promise<Response> {
  let failed = false;
  const nonce = randomBytes(16).toString("hex");
  const stream = await renderToReadableStream(
    <Nonce value={nonce}>
      <PageStyles value={stylesOf(routerContext)}>
        <ServerRouter context={withItsManifest(routerContext)} url={request.url} nonce={nonce} />
      </PageStyles>
    </Nonce>,
    {
      nonce,
      // Whole at once, so nothing of it is put in place by a script.
      progressiveChunkSize: Infinity,
      onError(error) {
        failed = true;
        reportError(error, "a page could not be rendered");
      },
    },
  );
  await stream.allReady;
  // Read as Latin-1 each character is a byte, so nothing is decoded and encoded again: a seventh of a rendering's processor
  // time (`bench pages`: 3.9 instead of 4.6 ms).
  const rendered = Buffer.from(await new Response(stream).arrayBuffer()).toString("latin1");
  const staged = import.meta.env.PROD ? stagedScripts(rendered) : rendered;
  // A script behind the styles waits until they are here, and the page behind it is not read meanwhile. Nor is a page shown
  // that is read in part: what follows would move it.
  const first = `<script nonce="${nonce}">${EARLY_PRESSES}</script><link rel="expect" href="#end" blocking="render"/>`;
  const whole = staged.replace('<link rel="stylesheet"', (styles) => first + styles);
  const { html, policy } = contentSecurityPolicy(whole, nonce, new URL(request.url).pathname);
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (import.meta.env.PROD) headers.set("Content-Security-Policy", policy);
  return new Response(Buffer.from(html, "latin1"), { status: failed ? 500 : status, headers });
}

/** As the build divided them (route-manifests.ts, page-styles.ts). In development nothing is divided. */
type Manifest = EntryContext["manifest"] & { urls?: Record<string, string>; styles?: Record<string, string> };

function stylesOf({ manifest, staticHandlerContext }: EntryContext): string[] {
  const page = staticHandlerContext.matches.at(-1);
  const own = (manifest as Manifest).styles?.[page?.route.id ?? ""];
  return own ? [own] : ALL_STYLES;
}

/** Names the manifest of the tree that a document is in. */
function withItsManifest(context: EntryContext): EntryContext {
  const manifest: Manifest = context.manifest;
  const [, tree] = context.staticHandlerContext.matches;
  const url = manifest.urls?.[tree?.route.id ?? ""] ?? manifest.url;
  return { ...context, manifest: { ...manifest, url } };
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // A method that a page does not take is the caller's mistake.
  const isRefusal = isRouteErrorResponse(error) && error.status < 500;
  if (isRefusal || request.signal.aborted) return;
  reportFailure(error, context as RouterContextProvider);
};
