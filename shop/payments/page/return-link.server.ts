/** Where a buyer comes back to from the page where they pay: an address that nobody else can guess, of one payment. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { purposeKey } from "../../purpose-key.server.ts";

const PURPOSE = "come back from paying";
const ID_BYTES = 16;
const KEY_BYTES = 32;

/** What a link needs of the configuration. */
export type Linking = { baseUrl: string; secret: string };

const sign = (id: Buffer, secret: string) => createHmac("sha256", purposeKey(secret, PURPOSE)).update(id).digest();

/** 256 bits for one order. */
export function returnToken(orderId: string, secret: string): string {
  const id = Buffer.from(orderId.replaceAll("-", ""), "hex");
  return Buffer.concat([id, sign(id, secret)]).toString("base64url");
}

/** The order of a token that was made with any of `secrets`; null where it was not made by us. */
export function orderOfToken(token: string, secrets: string[]): string | null {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== ID_BYTES + KEY_BYTES || bytes.toString("base64url") !== token) return null;
  const id = bytes.subarray(0, ID_BYTES);
  const isOurs = secrets.some((secret) => timingSafeEqual(sign(id, secret), bytes.subarray(ID_BYTES)));
  return isOurs ? id.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") : null;
}

export const returnUrl = (orderId: string, { baseUrl, secret }: Linking): string =>
  `${baseUrl}/payments/return?token=${returnToken(orderId, secret)}`;

/** The page that says that the order is held, and goes on to the provider's once that is open. */
export const waitPath = (orderId: string, secret: string): string =>
  `/payments/wait?token=${returnToken(orderId, secret)}`;
