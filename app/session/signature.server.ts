/** What the shop hands out and wants to know again: a text and its signature, which nobody else can make. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { purposeKey } from "../../shop/purpose-key.server.ts";

/** What the signature of a guest id is for. */
export const GUEST_PURPOSE = "guest";

export type Signer = {
  sign(text: string): string;
  /** Whether this signer has signed the text; takes microseconds, the same whatever was sent. */
  isSigned(text: string, signature: string): boolean;
};

/** A signer for one purpose: what it signs is nothing to those of other purposes. */
export function openSigner(secret: string, purpose: string): Signer {
  // As a key object it is prepared once: every request with a cart checks a signature.
  const key = purposeKey(secret, `signature\n${purpose}`);
  const digest = (text: string) => createHmac("sha256", key).update(text).digest("base64url");
  return {
    sign: digest,
    isSigned(text, signature) {
      const [made, given] = [Buffer.from(digest(text)), Buffer.from(signature)];
      return made.length === given.length && timingSafeEqual(made, given);
    },
  };
}
