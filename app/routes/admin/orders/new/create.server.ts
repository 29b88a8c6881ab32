/** The action of the form: it first shows the total with tax, and places the order once that was seen. */
import { redirect } from "react-router";
import { z } from "#shop/zod.ts";
import { findByName } from "#shop/catalog/back-office/product-list.server.ts";
import { addressSchema, contactSchema, zipInState } from "#shop/checkout/checkout-form.ts";
import { placeByHand, type OrderByHand, type Refusal } from "#shop/checkout/order-by-hand.server.ts";
import { termsVersion } from "#shop/content/texts.server.ts";
import { MAX_LINE_QUANTITY } from "#shop/catalog/stock.ts";
import type { Amounts } from "#shop/cart/totals.ts";
import { formatMoney, readDollars } from "#shop/money.ts";
import { GIFT_REASONS, isReason } from "#shop/orders/reasons.ts";
import { arrangementShape, ARRANGEMENTS } from "#shop/payments/arrangement.ts";
import { hasPayments } from "#shop/payment-mode.ts";
import { paymentPolicy } from "#shop/policies.ts";
import { waitMessage } from "#shop/rate-limits/rate-limits.server.ts";
import { SHIPPING_METHODS } from "#shop/shipping/methods.ts";
import { REFUND_LIMIT_CENTS } from "#shop/staff/permissions.ts";
import { taxProvider } from "#shop/tax/open-tax.server.ts";
import { lineOfText } from "#shop/text.ts";
import { db } from "#platform/database.server.ts";
import { refused } from "#app/http/form.server.ts";
import { rateLimits } from "#app/session/rate-limits.server.ts";
import { consumeStaffMail } from "#app/session/staff.server.ts";
import { TOO_MANY_EMAILS, unverified, type Action } from "../../action.server.ts";
import { requested } from "../../refund-answers.server.ts";
import { lineFields, LINES, PAYMENTS } from "./fields.ts";

const lineShape = Object.fromEntries(
  LINES.flatMap((place) => Object.values(lineFields(place)).map((name) => [name, z.string().max(200).default("")])),
);

export const schema = zipInState(
  z.object({
    ...contactSchema.shape,
    ...addressSchema.shape,
    shippingMethod: z.enum(SHIPPING_METHODS, "Choose a shipping method"),
    formKey: z.uuid(),
    seenTotal: z.coerce.number().int().optional(),
    discount: z.string().default(""),
    reason: lineOfText("Reason", 60).default(""),
    freeShipping: z.literal("on").optional(),
    payment: z.enum(Object.keys(PAYMENTS) as (keyof typeof PAYMENTS)[], "Choose how it is paid"),
    how: z.string().default(""),
    reference: arrangementShape.reference.default(""),
    gift: z.string().default(""),
    ...lineShape,
  }),
);

type Create = Action<z.output<typeof schema>>;
type Errors = Record<string, string>;
type Line = OrderByHand["lines"][number] & { place: number; name: string };

/** Lines and amounts of an order before it is placed. */
export type Review = { amounts: Amounts; lines: Pick<Line, "name" | "quantity">[] };

const AMOUNT = "Enter an amount in dollars, such as 24.50";

/** The lines that name a product, each with what is wrong in it. */
async function linesOf({ form }: Create, errors: Errors): Promise<Line[]> {
  const lines: Line[] = [];
  for (const place of LINES) {
    const names = lineFields(place);
    const [product, quantity, price] = Object.values(names).map((name) => (form.get(name) ?? "").trim());
    if (!product) continue;
    const [found, ...others] = await findByName(db, product);
    const units = Number(quantity || 1);
    const unitCents = price ? readDollars(price) : null;
    if (!found) errors[names.product] = "No product has this name";
    else if (others.length > 0)
      errors[names.product] = `Several match: ${[found, ...others].map(({ name }) => name).join(", ")}. Type more`;
    else if (lines.some(({ productId }) => productId === found.id)) errors[names.product] = "Listed above already";
    if (!(Number.isInteger(units) && units >= 1 && units <= MAX_LINE_QUANTITY))
      errors[names.quantity] = `1 to ${MAX_LINE_QUANTITY}`;
    if (price && unitCents === null) errors[names.price] = AMOUNT;
    if (found) lines.push({ place, name: found.name, productId: found.id, quantity: units, unitCents });
  }
  if (lines.length === 0) errors[lineFields(0).product] ??= "Choose at least one product";
  return lines;
}

function paymentOf({ value }: Create, errors: Errors): OrderByHand["payment"] {
  const { payment, how, reference, gift } = value;
  if (payment === "arranged") {
    if (isReason(ARRANGEMENTS, how)) return { by: payment, arrangement: { how, reference } };
    errors.how = "Choose how it was paid";
  }
  if (payment === "nothing") {
    if (isReason(GIFT_REASONS, gift)) return { by: payment, reason: gift };
    errors.gift = "Choose a reason";
  }
  if (!hasPayments() && payment === "link") errors.payment = "No payment provider is set up";
  return { by: "link" };
}

async function readOrder(action: Create): Promise<{ order: OrderByHand; lines: Line[] } | { errors: Errors }> {
  const errors: Errors = {};
  const { formKey, discount, reason, freeShipping, email, phone, shippingMethod, ...value } = action.value;
  const lines = await linesOf(action, errors);
  const payment = paymentOf(action, errors);
  const discountCents = discount.trim() ? readDollars(discount) : 0;
  if (discountCents === null) errors.discount = AMOUNT;
  if (Object.keys(errors).length > 0) return { errors };
  const contact = {
    email,
    phone,
    shippingMethod,
    shippingFirstName: value.shippingFirstName,
    shippingLastName: value.shippingLastName,
    shippingAddressLine1: value.shippingAddressLine1,
    shippingAddressLine2: value.shippingAddressLine2,
    shippingCity: value.shippingCity,
    shippingState: value.shippingState,
    shippingPostalCode: value.shippingPostalCode,
  };
  const order = {
    formKey,
    contact,
    lines: lines.map(({ place: _place, name: _name, ...line }) => line),
    discountCents: discountCents ?? 0,
    reason,
    isShippingFree: freeShipping === "on",
    payment,
    termsVersion: termsVersion(),
  };
  return { order, lines };
}

function refusal(action: Create, lines: Line[], result: Refusal) {
  const field = (errors: Errors, status = 400) => refused(action, "", { status, errors });
  const lineOf = (productId: string) => lineFields(lines.find((line) => line.productId === productId)?.place ?? 0);
  switch (result.reason) {
    case "short":
      return field(
        { [lineOf(result.productId).quantity]: result.unitsLeft === 0 ? "Sold out" : `Only ${result.unitsLeft} left` },
        409,
      );
    case "price":
      return field({ [lineOf(result.productId).price]: `At most ${formatMoney(result.priceCents)}, its price` });
    case "nothing-chosen":
      return field({ [lineFields(0).product]: "Choose at least one product" });
    case "discount":
      return field({ discount: "At most what the products cost" });
    case "no-reason":
      return field({ reason: "Enter a reason, which the customer reads" });
    case "too-small":
      return field({
        discount: `Leave at least ${formatMoney(paymentPolicy.smallestChargeCents)} to pay, or choose Free`,
      });
    case "limit": {
      const limit = formatMoney(REFUND_LIMIT_CENTS[action.by.role] ?? 0);
      return refused(
        action,
        `Your role can take up to ${limit} off an order. Ask a manager or an owner to take off ${formatMoney(result.cents)}.`,
        { status: 403 },
      );
    }
    case "no-quote":
      if (result.why === "address") return field({ shippingPostalCode: "This ZIP code is not in this state." });
      return refused(
        action,
        result.why === "away" ? "The tax provider is not responding. Try again in a minute." : waitMessage(result.wait),
        { status: 503 },
      );
    default:
      return refused(action, "Your role may not place this order.", { status: 403 });
  }
}

/** Shows the total, which was not seen yet or is another now. */
const review = (action: Create, data: Review) =>
  refused(action, `The total is ${formatMoney(data.amounts.totalCents)}. Create the order if that is right.`, {
    status: 200,
    data,
  });

export async function create(action: Create) {
  const read = await readOrder(action);
  if ("errors" in read) return refused(action, "", { status: 400, errors: read.errors });
  const { order, lines } = read;
  const { seenTotal } = action.value;
  const quoting = { rateLimits, taxProvider: taxProvider() };
  const takePermit = async () => (await consumeStaffMail(action.context, order.contact.email)).permit;
  const asked = await requested(action, (isVerified) =>
    placeByHand(db, quoting, { ...order, seenCents: seenTotal ?? null }, { by: action.by, isVerified, takePermit }),
  );
  if ("problem" in asked) return unverified(action, asked.problem);
  const { result } = asked;
  if (result.ok) return redirect(`/admin/orders/${result.orderId}`, 303);
  if (result.reason === "total")
    return review(action, { amounts: result.amounts, lines: lines.map(({ name, quantity }) => ({ name, quantity })) });
  if (result.reason === "too-many-emails") return refused(action, TOO_MANY_EMAILS, { status: 429 });
  return refusal(action, lines, result);
}
