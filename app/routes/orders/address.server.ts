/** The action of the address form, with its refusals in words. */
import type { RouterContextProvider } from "react-router";
import { addressSchema } from "#shop/checkout/checkout-form.ts";
import { moveByBuyer } from "#shop/fulfillment/address.server.ts";
import { formatMoney } from "#shop/money.ts";
import { waitMessage } from "#shop/rate-limits/rate-limits.server.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import { taxProvider } from "#shop/tax/open-tax.server.ts";
import { z } from "#shop/zod.ts";
import { parseForm } from "#app/ui/form/parse-form.ts";
import type { OrderAccess } from "#app/session/order-access.server.ts";
import { callerNetwork, rateLimits } from "#app/session/rate-limits.server.ts";
import { db } from "#platform/database.server.ts";
import { securityEvent } from "#platform/log.server.ts";
import { taxRefusal } from "#app/routes/storefront/checkout/unknown-tax.server.ts";
import type { AddressAnswer } from "./action-result.ts";

export const ADDRESS_FIELDS = ["seenTax", ...Object.keys(addressSchema.shape)];

type Outcome =
  | { flash?: "address-changed" }
  | { refusal: string; status?: number; errors?: Record<string, string | undefined>; data?: AddressAnswer };

const INVALID = "A few fields need fixing.";
const ASK_US = "Please ask us about this order, and we’ll help.";
const REFUSALS = {
  "not-found": "This order’s address can’t be changed here anymore. Open it from the link in our latest email.",
  status: "This order’s address can’t be changed anymore. Its current status is below.",
  "under-way":
    "Your package is about to ship, so its address can’t be changed anymore. Please ask us about this order.",
  meanwhile: "The address was changed somewhere else at the same time. Please check it, then try again.",
  unpaid: "This order’s address can be changed once it is paid.",
  "unknown-tax": `We can’t calculate the sales tax of another state here. ${ASK_US}`,
};

const seenSchema = z.coerce.number().int().min(0).optional().catch(undefined);

export async function changeDelivery(
  { order, isOwner }: OrderAccess,
  form: URLSearchParams,
  context: Readonly<RouterContextProvider>,
): Promise<Outcome> {
  const typed = parseForm(form, addressSchema);
  if (typed.status !== "success") {
    const errors = Object.entries(typed.error ?? {}).map(([name, messages]) => [name, messages?.[0]]);
    return { refusal: INVALID, status: 400, errors: Object.fromEntries(errors) };
  }
  const actor = isOwner ? "customer" : "guest";
  const address = { ...typed.value, shippingAddressLine2: typed.value.shippingAddressLine2 || null };
  const seenTaxCents = seenSchema.parse(form.get("seenTax") ?? undefined);
  const result = await moveByBuyer(db, order, { address, seenTaxCents }, actor, {
    network: callerNetwork(context),
    rateLimits,
    taxProvider: taxProvider(),
    providers: paymentProviders(),
  });
  if (result.ok) {
    if (result.repeated) return {};
    securityEvent("order-address-changed", { outcome: "ok", way: actor, userId: order.userId ?? undefined });
    return { flash: "address-changed" };
  }
  switch (result.reason) {
    case "tax": {
      const tax = `Sales tax at this address is ${formatMoney(result.toCents)} instead of ${formatMoney(result.fromCents)}`;
      const refusal = `${tax}, so your total is ${formatMoney(result.totalCents)}. Confirm it to change the address.`;
      return { refusal, data: { taxCents: result.toCents } };
    }
    case "charged":
    case "fixed": {
      const total = formatMoney(result.totalCents);
      return {
        refusal: `With the sales tax there, your total would be ${total}. Your payment is for a different amount, so we can’t change the state here. ${ASK_US}`,
      };
    }
    case "no-quote": {
      const { message, ...rest } = taxRefusal(result, (words) => `${words} Your address hasn’t changed.`);
      return { refusal: message, ...rest };
    }
    case "too-many":
      return { refusal: waitMessage(result.wait), status: 429 };
    default:
      return { refusal: REFUSALS[result.reason] };
  }
}
