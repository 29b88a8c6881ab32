/** The token in the link of a verification email: it proves a mailbox to this shop, for a day, and opens nothing else. */
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

/** A token for the link to one user's mailbox. */
export function verifyToken(user: { id: string; email: string }, shop: Shop): Promise<string> {
  return new SignJWT({ userId: user.id, email: user.email })
    .setProtectedHeader({ alg: "HS256", typ: TYPE })
    .setIssuer(shop.baseUrl)
    .setAudience(audienceOf(shop))
    .setIssuedAt()
    .setExpirationTime(`${VERIFY_LINK_SECONDS}s`)
    .sign(keyOf(shop));
}

/** Whose mailbox a token proves; "invalid" too where it was made for another purpose or by another shop. */
export async function readVerifyToken(
  token: string,
  shop: Shop,
): Promise<{ userId: string; email: string } | "invalid" | "expired"> {
  try {
    const { payload } = await jwtVerify(token, keyOf(shop), {
      algorithms: ["HS256"],
      typ: TYPE,
      issuer: shop.baseUrl,
      audience: audienceOf(shop),
      requiredClaims: ["exp"],
    });
    const read = z.object({ userId: z.uuid(), email: z.email() }).safeParse(payload);
    return read.success ? read.data : "invalid";
  } catch (error) {
    return error instanceof JWTExpired ? "expired" : "invalid";
  }
}
