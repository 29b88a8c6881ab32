import { brand } from "../../../../shop/brand.ts";
import type { TooMany } from "../../../../shop/checkout/limited-order.server.ts";
import { MAX_UNITS_A_DAY } from "../../../../shop/checkout/order-limits.ts";
import { waitTime } from "../../../../shop/rate-limits/rate-limits.server.ts";

const signIn = { to: "/auth?redirect=%2Fcheckout", text: "Sign In" };

/** What is used up, and what whoever is refused can do about it. */
export function tooMany({ by, wait, isGuest, product }: TooMany) {
  const later = waitTime(wait);
  if (by === "units") {
    const remedy = `At most ${MAX_UNITS_A_DAY} in a day for one customer. Lower the quantity, or order it in ${later}. For more, write to ${brand.supportEmail}.`;
    const message = "Your order was not placed: it has more of a product than we can sell to one customer in a day.";
    return product
      ? { message, problems: [{ ...product, message: remedy }] }
      : { message: `${message} ${remedy}`, problems: [] };
  }
  if (by === "holds") {
    const message = `Several orders from your connection wait to be paid. Pay one of them first, or try again in ${later}.`;
    return { message, problems: [] };
  }
  if (by === "account") {
    const message = `Your account has placed many orders. Try again in ${later}, or write to ${brand.supportEmail}.`;
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
