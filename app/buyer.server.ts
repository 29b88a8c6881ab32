/** Whose cart a request is about: a signed-in customer's, or a guest's. */
import type { Buyer } from "../shop/cart/cart.ts";
import { readCustomer } from "./customer.server.ts";
import { guestIdOf, newGuest } from "./guest.server.ts";

/** The buyer behind a request, or null for a visitor who has not yet put anything anywhere. */
export async function readBuyer(request: Request): Promise<Buyer | null> {
  const customer = await readCustomer(request);
  if (customer) return { customerId: customer.id };
  const guestId = guestIdOf(request.headers);
  return guestId ? { guestId } : null;
}

/** As readBuyer, but a visitor becomes a guest; `headers` then carries the cookie. */
export async function ensureBuyer(request: Request): Promise<{ buyer: Buyer; headers: Headers }> {
  const known = await readBuyer(request);
  const headers = new Headers();
  if (known) return { buyer: known, headers };
  const { guestId, setCookie } = newGuest();
  headers.append("Set-Cookie", setCookie);
  return { buyer: { guestId }, headers };
}
