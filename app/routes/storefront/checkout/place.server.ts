import { createContext, redirectDocument, type RouterContextProvider } from "react-router";
import { z } from "#shop/zod.ts";
import { done, readForm, refused } from "#app/http/form.server.ts";
import {
  discountCookie,
  forgetDiscount,
  orderedHere,
  readCampaign,
  readInvitation,
} from "#app/session/cookies.server.ts";
import { buyersOf, ensureBuyer } from "#app/session/customer.server.ts";
import { callerNetwork, rateLimits } from "#app/session/rate-limits.server.ts";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { refusedToOthers, reportError } from "#platform/log.server.ts";
import { supportEmail } from "#shop/contact-addresses.server.ts";
import { termsVersion } from "#shop/content/texts.server.ts";
import type { Buyer } from "#shop/cart/cart.ts";
import { checkoutSchema } from "#shop/checkout/checkout-form.ts";
import { readCode } from "#shop/discounts/discount.ts";
import { CART_MESSAGES } from "#app/ui/order/cart-messages.ts";
import { parseExpectedDiscount, parseExpectedLines, parseExpectedShipping } from "#shop/checkout/expected-lines.ts";
import { MAX_UNITS_A_DAY } from "#shop/checkout/order-limits.ts";
import { mustVerifyEmail, placeOrder, type OrderRefusal, type TooMany } from "#shop/checkout/place-order.server.ts";
import { getOrder } from "#shop/orders/orders.server.ts";
import { openPage } from "#shop/payments/open-page.server.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import { cancelOtherUnpaid, cancelUnpaidWith, findUnpaid } from "#shop/payments/payments.server.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { returnUrl, waitPath } from "#shop/payments/return-link.server.ts";
import { waitTime } from "#shop/rate-limits/rate-limits.server.ts";
import { settings } from "#shop/settings/settings.server.ts";
import { taxProvider } from "#shop/tax/open-tax.server.ts";
import { type CheckoutAnswer, ORDER_FAILED } from "./action-result.ts";
import { addressQuestion, takeSuggestion } from "./address.server.ts";
import { taxRefusal } from "./unknown-tax.server.ts";
import { taxQuestion } from "./tax.ts";

/** Posted lines, for the page after a form if the cart cannot be read, so that a placed order shows as placed. */
export const seenContext = createContext<string | null>(null);

/** The code that a form has set or removed, for the page after it; null leaves that of the cookie. */
export const codeContext = createContext<{ code: string | null } | null>(null);

const checkoutKeySchema = z.uuid();
const taxSchema = z.coerce.number().int().min(0).catch(0);
const FIELDS = [
  "seen",
  "seenShipping",
  "seenTax",
  "seenTerms",
  "seenDiscount",
  "seenCode",
  "code",
  "apply",
  "checkoutKey",
  "address",
  "addressAsked",
  ...Object.keys(checkoutSchema.shape),
];

/** Places the posted order; every refusal preserves the typed values. */
export async function place(request: Request, context: Readonly<RouterContextProvider>) {
  const { buyer, customer, headers } = await ensureBuyer(request);
  const form = await readForm(request, FIELDS);
  takeSuggestion(form);
  const seen = form.get("seen") ?? "";
  context.set(seenContext, seen);
  const submission = parseForm(form, checkoutSchema);
  const checkoutKey = checkoutKeySchema.safeParse(form.get("checkoutKey")).data ?? crypto.randomUUID();
  const addressAsked = form.get("addressAsked");
  const refuse = (message: string, status: number, answer: CheckoutAnswer, errors?: Record<string, string>) => {
    const data: CheckoutAnswer = { ...(addressAsked && { addressAsked }), ...answer };
    return refused(submission, message, { status, data, headers, ...(errors && { errors }) });
  };
  const unverified = () => {
    refusedToOthers("unverified", customer?.id);
    return refuse("Email Verification Required", 403, { mustVerify: true });
  };
  if (mustVerifyEmail(customer)) return unverified();
  const setCode = (code: string | null) => {
    context.set(codeContext, { code });
    headers.append("Set-Cookie", code ? discountCookie(code) : forgetDiscount);
  };
  const typed = (form.get("code") ?? "").trim();
  if (form.has("apply") || (form.has("code") && typed.toUpperCase() !== form.get("seenCode"))) {
    const code = readCode(typed);
    if (typed !== "" && !code) return refuse(CART_MESSAGES.code, 400, { checkoutKey });
    setCode(code);
    const change = code ? `We looked up ${code}.` : "There is no code.";
    return refuse(`${change} Check the summary, then place your order.`, 409, { checkoutKey });
  }
  if (submission.status !== "success") return refuse("A few fields need fixing.", 400, { checkoutKey });
  try {
    const question = await addressQuestion(context, form);
    if (question) return refuse("Did you mean another address?", 409, { checkoutKey, ...question });
    const caller = { buyer, network: callerNetwork(context), accountEmail: customer?.email ?? null };
    const [providers, tax] = [paymentProviders(), taxProvider()];
    const code = readCode(typed);
    const asked = {
      checkoutKey,
      expectedLines: parseExpectedLines(seen),
      expectedShipping: parseExpectedShipping(form.get("seenShipping") ?? "") ?? settings().shipping,
      code,
      expectedDiscount: parseExpectedDiscount(form.get("seenDiscount") ?? ""),
      form: submission.value,
      termsVersion: termsVersion(),
      seenTerms: form.get("seenTerms"),
      campaign: readCampaign(request.headers),
      invitation: readInvitation(request.headers),
      mustPay: providers !== null,
      tax: tax && { provider: tax, seenCents: taxSchema.parse(form.get("seenTax")) },
    };
    let order = await placeOrder(db, rateLimits, caller, asked);
    if (!order.ok && order.reason === "discount-changed" && order.isCodeRefused && code && providers) {
      for (const each of buyersOf(request, customer)) await cancelUnpaidWith(db, providers, each, code);
      order = await placeOrder(db, rateLimits, caller, asked);
    }
    if (order.ok && typed) headers.append("Set-Cookie", forgetDiscount);
    if (order.ok && "guestId" in buyer) headers.append("Set-Cookie", orderedHere(buyer.guestId));
    if (order.ok && providers) {
      const location = await addressToPay(providers, buyersOf(request, customer), order);
      return redirectDocument(location, { status: 303, headers });
    }
    if (order.ok) {
      const data: CheckoutAnswer = { orderId: order.orderId, email: submission.value.email };
      return done(submission, undefined, { data, headers });
    }
    if (order.reason === "too-many") {
      const { message, ...more } = tooMany(order);
      return refuse(message, 429, { checkoutKey, ...more });
    }
    if (order.reason === "discount-changed") {
      // The message has named it, and the next order is without it.
      if (order.isCodeRefused) setCode(null);
      return refuse(order.message, 409, { checkoutKey });
    }
    if (order.reason === "shipping-changed") return refuse(order.message, 409, { checkoutKey });
    if (order.reason === "tax-changed") {
      const counted = `${seen} ${form.get("seenDiscount") ?? ""}`;
      const question = taxQuestion(submission.value, submission.value.shippingMethod, counted) ?? "";
      return refuse(order.message, 409, { checkoutKey, tax: { question, cents: order.taxCents } });
    }
    if (order.reason === "tax-unknown") {
      const again = order.why === "away" ? " Please try again." : "";
      const refusal = taxRefusal(order, (words) => `We didn’t place your order. ${words}${again}`);
      return refuse(refusal.message, refusal.status, { checkoutKey }, refusal.errors);
    }
    const { reason, problems } = order;
    if (reason === "unverified") return unverified();
    if (reason === "expired") refusedToOthers("order-key", customer?.id);
    // An expired key, or another buyer's, can never place this order.
    const nextKey = reason === "expired" ? crypto.randomUUID() : checkoutKey;
    return refuse(refusalMessage(reason), 409, { checkoutKey: nextKey, problems });
  } catch (error) {
    reportError(error, "an order was not placed");
    return refuse(ORDER_FAILED, 503, { checkoutKey });
  }
}

/** The provider's page; the shop's waiting page if it cannot be opened now; the order page if it is paid or closed. */
async function addressToPay(
  providers: PaymentProviders,
  buyers: readonly Buyer[],
  { orderId, repeated }: { orderId: string; repeated: boolean },
): Promise<string> {
  const order = await getOrder(db, orderId);
  if (!order) throw new Error("a placed order is gone");
  const wait = waitPath(order, config().secret);
  try {
    if (!repeated) {
      for (const buyer of buyers) await cancelOtherUnpaid(db, providers, buyer, orderId);
    }
    const page = await openPage(db, providers, orderId);
    if (page.ok) return page.url;
    return page.reason === "paid" || page.reason === "over" ? returnUrl(order, config()) : wait;
  } catch (error) {
    reportError(error, "the page to pay was not opened");
    return wait;
  }
}

export async function unpaidOrderPath(buyers: readonly Buyer[]): Promise<string | null> {
  if (!paymentProviders()) return null;
  for (const buyer of buyers) {
    const unpaid = await findUnpaid(db, buyer);
    if (unpaid) return returnUrl(unpaid, config());
  }
  return null;
}

const signIn = { to: "/auth?redirect=%2Fcheckout", text: "Sign In" };

/** Message and remedy of each exceeded limit. */
function tooMany({ by, wait, isGuest, product }: TooMany) {
  const later = waitTime(wait);
  const ofProduct = (message: string, remedy: string) =>
    product
      ? { message, problems: [{ ...product, message: remedy }] }
      : { message: `${message} ${remedy}`, problems: [] };
  if (by === "units") {
    const remedy = `The limit is ${MAX_UNITS_A_DAY} a day per customer. Lower the quantity, or order it in ${later}. For more, write to ${supportEmail()}.`;
    return ofProduct(
      "We didn’t place your order: it has more of one product than we can sell to one customer in a day.",
      remedy,
    );
  }
  if (by === "unpaid-units") {
    const remedy = `Lower the quantity and order the rest once you’ve paid, or try again in ${later}. For help, write to ${supportEmail()}.`;
    return ofProduct(
      "We didn’t place your order: it has more of one product than we can hold before it’s paid.",
      remedy,
    );
  }
  if (by === "unpaid") {
    const message = `Many orders from your connection are waiting for payment. Try again in ${later}, or write to ${supportEmail()}.`;
    return { message, problems: [] };
  }
  if (by === "account") {
    const message = `Your account has placed many orders. Try again in ${later}, or write to ${supportEmail()}.`;
    return { message, problems: [] };
  }
  const many = by === "inbox" ? "Too many orders with this email address." : "Too many orders from your connection.";
  if (isGuest) {
    const account = by === "inbox" ? "the account with this email" : "an account with a verified email";
    const message = `${many} Sign in to ${account} to order now, or try again in ${later}.`;
    return { message, problems: [], link: signIn };
  }
  const remedy = by === "inbox" ? "Use the email of your account, or try again in" : "Try again in";
  return { message: `${many} ${remedy} ${later}.`, problems: [] };
}

function refusalMessage(reason: Exclude<OrderRefusal["reason"], "unverified">): string {
  if (reason === "empty-cart") return "Your cart is empty";
  if (reason === "not-by-paypal")
    return "We didn’t place your order, because it can’t be paid with PayPal. Place it again to pay by card.";
  if (reason === "terms-changed")
    return "We didn’t place your order, because our Terms of Service have changed since you opened this page. Please read them, then place your order again.";
  if (reason === "expired")
    return "This page had expired. Nothing was ordered. Check the summary, then place your order again.";
  return "We didn’t place your order, because your cart has changed since you last saw it.";
}
