/** Every form that visitors and customers can send, filled in as a careful shopper would. */
import { randomUUID } from "node:crypto";
import { PASSWORD } from "./actors.ts";
import { address } from "./visitor.ts";

export type Form = { path: string; fields: Record<string, string> };

const OWN = {
  /** A name, and part of every other text. */
  word: "Ada",
  email: "ada@example.com",
  password: PASSWORD,
  productId: randomUUID() as string,
  lineId: randomUUID() as string,
  checkoutKey: randomUUID() as string,
  orderId: ":orderId",
  session: "a-session",
};

export function formsOf(own: Partial<typeof OWN> = {}): Form[] {
  const { word, email, password, productId, lineId, checkoutKey, orderId, session } = { ...OWN, ...own };
  const person = { firstName: word, lastName: word };
  const passwords = { password, confirmPassword: password };
  const code = "123456";
  const heart = { productId, where: "/shop", guestWishlist: `["${productId}"]` };
  const addressOf = (kind: "shipping" | "billing") => ({
    [`${kind}FirstName`]: word,
    [`${kind}LastName`]: word,
    [`${kind}AddressLine1`]: `${word} Street 1`,
    [`${kind}AddressLine2`]: `${word} Floor`,
    [`${kind}City`]: `${word} City`,
    [`${kind}State`]: "NY",
    [`${kind}PostalCode`]: "10001",
    [`${kind}Country`]: "US",
  });
  const { phone, shippingMethod } = address;
  const { shippingCountry: _, ...delivery } = addressOf("shipping");
  const billing = { ...addressOf("billing"), billingAddressSameAsShipping: "on" };
  const order = {
    checkoutKey,
    seen: `${productId}:2:1900`,
    seenTax: "0",
    shippingMethod,
    giftMessage: `From ${word}`,
    saveInformation: "on",
  };
  const settings: Record<string, Record<string, string>> = {
    profile: { ...person, phone },
    email: { newEmail: `new-${email}`, password, code },
    password: { currentPassword: password, ...passwords, username: email },
    "set-password": {},
    "factor-start": { password },
    "factor-verify": { code, uri: "otpauth://totp/Polara:a@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Polara" },
    "factor-remove": { password, code },
    "factor-codes": { password, code },
    "sign-out-one": { password, code, session },
    "sign-out-others": { password, code },
    letters: { news: "on", owners: "on" },
    "leave-waitlist": {},
    "privacy-request": { kind: "correction", details: `${word} is spelled otherwise` },
    delete: { confirmation: "delete", password, code },
  };
  const forms: Record<string, Record<string, string>> = {
    "/support": { email, name: word, message: `${word} asks:\nwhere is my order?`, "leave-empty": "" },
    "/checkout": { email, phone, ...addressOf("shipping"), ...billing, ...order },
    "/orders/find": { email, number: "8f3a61c2" },
    "/orders/claim": {},
    [`/orders/${orderId}`]: { intent: "cancel" },
    [`/orders/${orderId}/return?kind=return`]: { reason: "not-for-me", units: `${lineId}:1` },
    [`/orders/${orderId}/returns/:number`]: { intent: "withdraw" },
    [`/orders/${orderId}?intent=address`]: { intent: "address", seenTax: "0", ...delivery },
    "/auth": { email, intent: "sign-in", password, redirect: "/checkout" },
    "/auth?tab=sign-up": { email, intent: "sign-up", ...person, ...passwords, terms: "on", redirect: "/" },
    "/auth/two-factor": { code },
    [`/auth/verify?token=${word}`]: { username: email, intent: "confirm", password },
    [`/auth/change-email?token=${word}`]: {},
    "/auth/resend": {},
    "/auth/sign-out": {},
    "/reset-password": { email },
    [`/reset-password?token=${word}`]: { ...passwords, username: email },
    "/cart/add": { productId, quantity: "1" },
    "/cart/update": { itemId: lineId, quantity: "1" },
    "/cart/remove": { itemId: lineId },
    "/cart/clear": {},
    "/wishlist/add": heart,
    "/wishlist/remove": heart,
    "/wishlist/join": { guestWishlist: heart.guestWishlist },
    "/waitlist/join": { email, phone, utm_source: word, utm_campaign: word },
    "/back-in-stock?product=travel-sleeve": { email, "leave-empty": "" },
    "/personal": { shown: "signed-up" },
    "/account/download": { password, code },
    "/admin/sign-in": { email, password, code },
    "/admin/join": {},
    "/cart/code": { code: word },
  };
  return [
    ...Object.entries(forms).map(([path, fields]) => ({ path, fields })),
    ...Object.entries(settings).map(([intent, fields]) => ({ path: "/account", fields: { intent, ...fields } })),
  ];
}
