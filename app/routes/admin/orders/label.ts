/** The picture of a parcel's label, from the provider, which no browser has to call. */
import { CarrierError } from "#shop/carriers/carrier-provider.ts";
import { labelUrl } from "#shop/carriers/labels.server.ts";
import { carrierProvider } from "#shop/carriers/open-carrier.server.ts";
import { db } from "#platform/database.server.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { notFound, requireId } from "../guard.server.ts";
import type { Route } from "./+types/label.ts";

export async function loader({ params }: Route.LoaderArgs) {
  const [carrier, url] = [carrierProvider(), await labelUrl(db, requireId(params.shipmentId))];
  if (!carrier || !url) throw notFound();
  try {
    const { type, bytes } = await carrier.print(url);
    if (type !== "image/png") throw notFound();
    return new Response(bytes, { headers: { "Content-Type": type, ...NO_STORE } });
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    return new Response("The carrier is not responding. Try again in a minute.", { status: 503, headers: NO_STORE });
  }
}
