/** Return links from the payment page: an address of each order that nobody can guess, valid for some days. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { clock } from "#shop/clock.ts";
import { purposeKey } from "#shop/purpose-key.server.ts";

const PURPOSE = "come back from paying";
const ID_BYTES = 16;
const HEAD_BYTES = ID_BYTES + 4;
const KEY_BYTES = 32;
const LINK_SECONDS = 3 * 24 * 3600;

export type Linking = { baseUrl: string; secret: string };
type Linked = { id: string; linkVersion: number };

const sign = (head: Buffer, linkVersion: number, secret: string) =>
  createHmac("sha256", purposeKey(secret, PURPOSE)).update(head).update(`\n${linkVersion}`).digest();

/** Returns a token of one order that ends three days after `from`, with a signature of 256 bits. */
function returnToken({ id, linkVersion }: Linked, secret: string, from: Date): string {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(id.replaceAll("-", ""), "hex");
  head.writeUInt32BE(Math.floor(from.getTime() / 1000) + LINK_SECONDS, ID_BYTES);
  return Buffer.concat([head, sign(head, linkVersion, secret)]).toString("base64url");
}

/** Returns the id of the order that a token names, or null. `opensReturn` tells whether the token is valid. */
export function orderIdIn(token: string): string | null {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== HEAD_BYTES + KEY_BYTES || bytes.toString("base64url") !== token) return null;
  const id = bytes.subarray(0, ID_BYTES).toString("hex");
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Returns true if the token of this order has not ended and is signed with any of `secrets`, at its link version. */
export function opensReturn({ linkVersion }: Linked, token: string, secrets: string[], now = clock.now()): boolean {
  const bytes = Buffer.from(token, "base64url");
  const head = bytes.subarray(0, HEAD_BYTES);
  const isOurs = secrets.some((secret) => timingSafeEqual(sign(head, linkVersion, secret), bytes.subarray(HEAD_BYTES)));
  return isOurs && now.getTime() < head.readUInt32BE(ID_BYTES) * 1000;
}

export const returnUrl = (order: Linked, { baseUrl, secret }: Linking, from = clock.now()): string =>
  `${baseUrl}/payments/return?order=${returnToken(order, secret, from)}`;

/** Path of the page that shows the reservation and redirects to the payment page once it is open. */
export const waitPath = (order: Linked, secret: string): string =>
  `/payments/wait?order=${returnToken(order, secret, clock.now())}`;
