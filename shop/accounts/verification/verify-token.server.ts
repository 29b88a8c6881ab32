/** The token in the link of a verification email: it proves a mailbox to this shop, for a day, and opens nothing else. */
import { createHmac } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { JWTExpired } from "jose/errors";
import { z } from "zod";
import { purposeKey } from "../../purpose-key.server.ts";

export const VERIFY_LINK_SECONDS = 24 * 3600;

const TYPE = "verify-email+jwt";

/** Where the shop is, and its secret. */
export type Shop = { baseUrl: string; secret: string };

const keyOf = ({ secret }: Shop) => purposeKey(secret, "verify an email");
const audienceOf = ({ baseUrl }: Shop) => `${baseUrl}/auth/verify`;

/** Which mailbox a link is for: addresses of pages are kept in many places, and this names nobody in them. */
const mailboxOf = ({ id, email }: { id: string; email: string }, { secret }: Shop) =>
  createHmac("sha256", purposeKey(secret, "name a mailbox")).update(`${id} ${email}`).digest("base64url");

/** A token for the link to one user's mailbox. */
export function verifyToken(user: { id: string; email: string }, shop: Shop): Promise<string> {
  return new SignJWT({ userId: user.id, mailbox: mailboxOf(user, shop) })
    .setProtectedHeader({ alg: "HS256", typ: TYPE })
    .setIssuer(shop.baseUrl)
    .setAudience(audienceOf(shop))
    .setIssuedAt()
    .setExpirationTime(`${VERIFY_LINK_SECONDS}s`)
    .sign(keyOf(shop));
}

/**
 * Whose link a token is, and whether it was mailed to the address that they have; "invalid" too where it was made for
 * another purpose or by another shop.
 */
export async function readVerifyToken(
  token: string,
  shop: Shop,
): Promise<{ userId: string; isFor(email: string): boolean } | "invalid" | "expired"> {
  try {
    const { payload } = await jwtVerify(token, keyOf(shop), {
      algorithms: ["HS256"],
      typ: TYPE,
      issuer: shop.baseUrl,
      audience: audienceOf(shop),
      requiredClaims: ["exp"],
    });
    const read = z.object({ userId: z.uuid(), mailbox: z.string() }).safeParse(payload);
    if (!read.success) return "invalid";
    const { userId, mailbox } = read.data;
    return { userId, isFor: (email) => mailboxOf({ id: userId, email }, shop) === mailbox };
  } catch (error) {
    return error instanceof JWTExpired ? "expired" : "invalid";
  }
}
