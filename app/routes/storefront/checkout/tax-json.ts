import { readDiscountCode } from "#app/session/cookies.server.ts";
import { buyerOf, readCustomer } from "#app/session/customer.server.ts";
import { callerNetwork, rateLimits } from "#app/session/rate-limits.server.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { db } from "#platform/database.server.ts";
import { getCart } from "#shop/cart/cart.server.ts";
import { cartTotals } from "#shop/cart/totals.ts";
import { shippingSchema, zipInState } from "#shop/checkout/checkout-form.ts";
import { discountedLines } from "#shop/discounts/discount.ts";
import { settings } from "#shop/settings/settings.server.ts";
import { taxProvider } from "#shop/tax/open-tax.server.ts";
import { quoteTax } from "#shop/tax/quote.server.ts";
import type { Route } from "./+types/tax-json.ts";
import { z } from "#shop/zod.ts";
import { unknownTax } from "./unknown-tax.server.ts";
import type { TaxAnswer } from "./tax.ts";

const { shippingState, shippingPostalCode, shippingMethod } = shippingSchema.shape;
const questionSchema = zipInState(z.object({ shippingState, shippingPostalCode, shippingMethod }));

const answer = (answered: TaxAnswer, status = 200) =>
  Response.json(answered, { status, headers: { ...NO_STORE, "X-Robots-Tag": "noindex" } });

/** Sales tax of the caller's cart at an address, for the checkout while the address is typed. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const provider = taxProvider();
  if (!provider) return answer({ message: "This shop adds no sales tax." }, 404);
  const question = questionSchema.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!question.success) return answer({ message: question.error.issues[0]!.message }, 400);
  const buyer = buyerOf(request, await readCustomer(request));
  const { lines, discount } = await getCart(db, buyer, readDiscountCode(request.headers));
  if (lines.length === 0) return answer({ taxCents: 0 });
  const { shippingState: state, shippingPostalCode: postalCode, shippingMethod: method } = question.data;
  const { shippingCents } = cartTotals(settings().shipping, lines, method, 0, discount.applied);
  const asked = { lines: discountedLines(lines, discount.applied), shippingCents, state, postalCode };
  const quoted = await quoteTax(db, rateLimits, provider, callerNetwork(context), asked);
  if (quoted.ok) return answer({ taxCents: quoted.quote.taxCents });
  return answer({ message: unknownTax(quoted) }, quoted.reason === "too-many" ? 429 : 503);
}
