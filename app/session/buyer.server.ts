/** Whose cart a request is about: a signed-in customer's, or a guest's. */
import type { Buyer } from "../../shop/cart/cart.ts";
import { readCustomer, type Customer } from "./customer.server.ts";
import { guestIdOf, newGuest } from "./guest.server.ts";

/** The buyer behind a request, or null for a visitor who is neither a customer nor a guest with an id. */
export async function readBuyer(request: Request): Promise<Buyer | null> {
  return buyerOf(request, await readCustomer(request));
}

/** As readBuyer, for a request whose customer was already read. */
export function buyerOf(request: Request, customer: Customer | null): Buyer | null {
  if (customer) return { customerId: customer.id };
  const guestId = guestIdOf(request.headers);
  return guestId ? { guestId } : null;
}

/** As readBuyer, but a visitor becomes a guest; `headers` then carries the cookie. */
export async function ensureBuyer(
  request: Request,
): Promise<{ buyer: Buyer; customer: Customer | null; headers: Headers }> {
  const customer = await readCustomer(request);
  const known = buyerOf(request, customer);
  const headers = new Headers();
  if (known) return { buyer: known, customer, headers };
  const { guestId, setCookie } = newGuest();
  headers.append("Set-Cookie", setCookie);
  return { buyer: { guestId }, customer, headers };
}
