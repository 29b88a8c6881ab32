import { data } from "react-router";
import type { Route } from "./+types/not-found.ts";

/** The page for this is the layout's, as for everything else that is not here. */
export function loader(): never {
  throw data(null, { status: 404 });
}

/**
 * A page's script knows a part of the site map (route-manifests.ts). Any other address is asked of the server, as a document,
 * unless this document is what the server answered.
 */
export function clientLoader({ request: { url } }: Route.ClientLoaderArgs): never {
  const [document] = performance.getEntriesByType("navigation");
  if (document?.name.split("#")[0] === url) throw new Response(null, { status: 404 });
  throw new Response(null, { status: 302, headers: { Location: url, "X-Remix-Reload-Document": "true" } });
}

export default function NotFound() {
  return null;
}
