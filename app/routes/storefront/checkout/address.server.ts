/** The question about an address that the carriers know otherwise. Asked once for an address, and never without them. */
import type { RouterContextProvider } from "react-router";
import { callerNetwork, rateLimits } from "#app/session/rate-limits.server.ts";
import { CarrierError } from "#shop/carriers/carrier-provider.ts";
import { carrierProvider } from "#shop/carriers/open-carrier.server.ts";
import { suggestAddress } from "#shop/carriers/suggest-address.ts";
import { byNetwork } from "#shop/rate-limits/rate-limits.server.ts";
import type { AddressQuestion } from "./action-result.ts";
import { ADDRESS_FIELDS, addressIn, fieldsOf } from "./address-question.tsx";

/** Checks cost money at the provider. Over the limit nothing is asked. */
const checkLimits = (network: string) =>
  byNetwork({ name: "address check by network", subject: network, points: 100, seconds: 1_800 });

const keyOf = (form: URLSearchParams): string =>
  new URLSearchParams(ADDRESS_FIELDS.map((name) => [name, form.get(name) ?? ""])).toString();

/** Puts the suggested address into the form if the shopper chose it, as the page's script does before. */
export function takeSuggestion(form: URLSearchParams): void {
  const chosen = form.get("address");
  if (!chosen) return;
  const suggested = new URLSearchParams(chosen);
  for (const name of ADDRESS_FIELDS) form.set(name, suggested.get(name) ?? "");
  form.set("addressAsked", keyOf(form));
}

export async function addressQuestion(
  context: Readonly<RouterContextProvider>,
  form: URLSearchParams,
): Promise<AddressQuestion | null> {
  const carrier = carrierProvider();
  const asked = keyOf(form);
  if (!carrier || form.get("addressAsked") === asked) return null;
  if (await rateLimits.consume(checkLimits(callerNetwork(context)))) return null;
  const typed = addressIn(form);
  const found = await carrier.check(typed).catch((error: unknown) => {
    if (error instanceof CarrierError) return null;
    throw error;
  });
  const suggested = found && suggestAddress(typed, found);
  return suggested && { addressAsked: asked, suggested: fieldsOf(suggested) };
}
