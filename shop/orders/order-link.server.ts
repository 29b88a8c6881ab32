/**
 * The link to an order that its emails carry: whoever has it sees the order without signing in. It does not expire, since
 * a warranty lasts for years; raising the order's `link_version` ends every link that was mailed.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { purposeKey } from "../purpose-key.server.ts";

const PURPOSE = "see an order";

type Linked = { id: string; linkVersion: number };

/** 256 bits for one order and one version. */
const sign = ({ id, linkVersion }: Linked, secret: string): Buffer =>
  createHmac("sha256", purposeKey(secret, PURPOSE)).update(`${id}\n${linkVersion}`).digest();

/** The key of an order's link. */
export const orderKey = (order: Linked, secret: string): string => sign(order, secret).toString("base64url");

/** Whether `key` opens this order, as it is now. It may have been made with any of `secrets`. */
export function opensOrder(order: Linked, key: string, secrets: string[]): boolean {
  const given = Buffer.from(key, "base64url");
  if (given.toString("base64url") !== key) return false;
  return secrets.some((secret) => {
    const made = sign(order, secret);
    return made.length === given.length && timingSafeEqual(made, given);
  });
}

/** Where an order is shown to whoever has its email. */
export const orderUrl = (order: Linked, { baseUrl, secret }: { baseUrl: string; secret: string }): string =>
  `${baseUrl}/orders/${order.id}?k=${orderKey(order, secret)}`;
