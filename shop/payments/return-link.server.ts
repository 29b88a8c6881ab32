/** Return links from the payment page: an address of each order that nobody can guess. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { purposeKey } from "#shop/purpose-key.server.ts";

const PURPOSE = "come back from paying";
const ID_BYTES = 16;
const KEY_BYTES = 32;

export type Linking = { baseUrl: string; secret: string };

const sign = (id: Buffer, secret: string) => createHmac("sha256", purposeKey(secret, PURPOSE)).update(id).digest();

/** Returns a token of one order, with a signature of 256 bits. */
function returnToken(orderId: string, secret: string): string {
  const id = Buffer.from(orderId.replaceAll("-", ""), "hex");
  return Buffer.concat([id, sign(id, secret)]).toString("base64url");
}

/** Returns the order of a token signed with any of `secrets`, or null if it is forged. */
export function orderOfToken(token: string, secrets: string[]): string | null {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== ID_BYTES + KEY_BYTES || bytes.toString("base64url") !== token) return null;
  const id = bytes.subarray(0, ID_BYTES);
  const isOurs = secrets.some((secret) => timingSafeEqual(sign(id, secret), bytes.subarray(ID_BYTES)));
  return isOurs ? id.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") : null;
}

export const returnUrl = (orderId: string, { baseUrl, secret }: Linking): string =>
  `${baseUrl}/payments/return?token=${returnToken(orderId, secret)}`;

/** Path of the page that shows the reservation and redirects to the payment page once it is open. */
export const waitPath = (orderId: string, secret: string): string =>
  `/payments/wait?token=${returnToken(orderId, secret)}`;
