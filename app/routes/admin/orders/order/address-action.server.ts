/** The action of the address panel. A tax that changes is shown first, with the choice of who pays what it is more. */
import { z } from "#shop/zod.ts";
import { addressSchema, zipInState } from "#shop/checkout/checkout-form.ts";
import { correctAddress, type AddressRefusal } from "#shop/fulfillment/address.server.ts";
import { formatMoney } from "#shop/money.ts";
import type { MovedTax } from "#shop/orders/actions/change-address.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import { waitMessage } from "#shop/rate-limits/rate-limits.server.ts";
import { taxProvider } from "#shop/tax/open-tax.server.ts";
import { rateLimits } from "#app/session/rate-limits.server.ts";
import { db } from "#platform/database.server.ts";
import { refused } from "#app/http/form.server.ts";
import { fieldError } from "../../action.server.ts";
import { withinLimit } from "../../refund-answers.server.ts";
import { onOrder, type OrderAction, outcome } from "./on-order.server.ts";

const addressShape = {
  ...addressSchema.shape,
  addressSeen: z.string(),
  seenTax: z.coerce.number().int().min(0).optional(),
  bears: z.enum(["", "customer", "shop"]).default(""),
};

const taxWords = ({ fromCents, toCents, totalCents }: MovedTax): string => {
  const tax = `Sales tax changes from ${formatMoney(fromCents)} to ${formatMoney(toCents)}.`;
  return toCents > fromCents
    ? `${tax} Choose who pays the difference.`
    : `${tax} The customer pays that much less, ${formatMoney(totalCents)} in all. Confirm it to change the address.`;
};

const QUOTE_WORDS = {
  address: "This ZIP code is not in this state.",
  away: "The tax provider is not responding. Try again in a minute.",
} as const;

type Address = OrderAction<z.output<z.ZodObject<typeof addressShape>>>;

function refusal(action: Address, result: AddressRefusal) {
  switch (result.reason) {
    case "tax": {
      const { ok: _ok, reason: _reason, ...sums } = result;
      return refused(action, taxWords(sums), { data: sums });
    }
    case "fixed": {
      const { ok: _ok, reason: _reason, ...sums } = result;
      const why = "The bank refused the card, and the customer has a link to pay. Pay the difference, or wait.";
      return refused(action, why, { data: sums });
    }
    case "charged":
      return refused(
        action,
        `This order is charged, with ${formatMoney(result.fromCents)} sales tax; there it is ${formatMoney(result.toCents)}. Cancel what has not shipped, which refunds it, and ask the customer to order it again.`,
      );
    case "no-quote":
      return result.why === "address"
        ? fieldError(action, "shippingPostalCode", QUOTE_WORDS.address)
        : refused(action, result.why === "away" ? QUOTE_WORDS.away : waitMessage(result.wait), { status: 503 });
    default:
      return outcome(action, result, "");
  }
}

async function changeAddress(action: Address) {
  const { addressSeen: from, seenTax: seenTaxCents, bears, shippingAddressLine2, ...rest } = action.value;
  const address = { ...rest, shippingAddressLine2: shippingAddressLine2 || null };
  const moving = { address, from, seenTaxCents, ...(bears && { bears }) };
  const desk = { rateLimits, taxProvider: taxProvider(), providers: paymentProviders() };
  const ask = (isVerified: boolean) =>
    correctAddress(db, action.order.order, moving, { by: action.by, isVerified }, desk);
  return withinLimit(action, ask, (result) =>
    result.ok
      ? outcome(action, result, "Address updated. The customer was notified.")
      : refusal(action, result as AddressRefusal),
  );
}

export const addressActions = { address: onOrder(addressShape, changeAddress, zipInState) };
