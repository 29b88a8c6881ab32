/** Defaults of the form of a new order. */
import { accountOf, getProfile } from "#shop/accounts/customers.server.ts";
import { listSellable } from "#shop/catalog/back-office/product-list.server.ts";
import { listCustomers } from "#shop/customers/customers.server.ts";
import { getOrderDetails } from "#shop/fulfillment/order-list.server.ts";
import { formatMoney } from "#shop/money.ts";
import { addressOf, orderNumber } from "#shop/orders/order.ts";
import { hasPayments } from "#shop/payment-mode.ts";
import { settings } from "#shop/settings/settings.server.ts";
import { offeredMethods, usualMethod } from "#shop/shipping/methods.ts";
import { db } from "#platform/database.server.ts";
import { staffMay } from "#app/session/staff.server.ts";
import type { Context } from "../../action.server.ts";
import { isId } from "../../guard.server.ts";

const FOUND = 5;

/** Someone who ordered before, as their order says. */
async function buyerOf(orderId: string) {
  const found = await getOrderDetails(db, orderId);
  if (!found) return null;
  const { id, email, phone } = found.order;
  return { email, phone, address: addressOf(found.order), order: { id, number: orderNumber(id) } };
}

/** Someone who has an account, or is new. */
async function personOf(email: string) {
  const userId = await accountOf(db, email);
  const { firstName, lastName, phone } = userId
    ? await getProfile(db, userId)
    : { firstName: "", lastName: "", phone: "" };
  return { email, phone, address: { shippingFirstName: firstName, shippingLastName: lastName }, order: null };
}

/** The newest order of a customer says where it goes; without one, their account says who they are. */
async function search(typed: string) {
  if (typed === "") return null;
  const { rows } = await listCustomers(db, { search: typed });
  return rows.slice(0, FOUND).map(({ id, name, email, lastOrderAt }) => ({
    email,
    name: name || email,
    query: new URLSearchParams(lastOrderAt ? { from: id } : { email }).toString(),
  }));
}

export async function loadNewOrder(request: Request, context: Context) {
  const query = new URL(request.url).searchParams;
  const [from, email] = [query.get("from"), (query.get("email") ?? "").slice(0, 320)];
  const asked = (query.get("q") ?? "").trim().slice(0, 200);
  const [person, found, products] = await Promise.all([
    isId(from) ? buyerOf(from) : email ? personOf(email) : null,
    search(asked),
    listSellable(db),
  ]);
  const { shipping } = settings();
  return {
    formKey: crypto.randomUUID(),
    person,
    asked,
    found,
    products: products.map(({ name, priceCents, unitsLeft }) => ({
      name,
      words: `${name}, ${formatMoney(priceCents)}, ${unitsLeft === 0 ? "sold out" : `${unitsLeft} left`}`,
    })),
    methods: offeredMethods(shipping).map(
      (method) => [method, `${shipping[method].name}, ${formatMoney(shipping[method].priceCents)}`] as const,
    ),
    usual: usualMethod(shipping),
    may: {
      link: hasPayments(),
      discount: staffMay(context, "orders:refund"),
      nothing: staffMay(context, "orders:give"),
    },
  };
}
