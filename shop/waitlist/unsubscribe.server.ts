/** Whoever does not want to hear from the shop any more says so by a link that needs no sign-in, and is believed at once. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { purposeKey } from "../purpose-key.server.ts";
import { waitlist } from "./waitlist.tables.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const sign = (id: string, secret: string): Buffer =>
  createHmac("sha256", purposeKey(secret, "unsubscribe from the waitlist")).update(id).digest();

/** Where a place on the waitlist is unsubscribed. */
export const unsubscribeUrl = (id: string, { baseUrl, secret }: { baseUrl: string; secret: string }) =>
  `${baseUrl}/waitlist/unsubscribe?k=${id}.${sign(id, secret).toString("base64url")}`;

/** The place that a link names, where one of `secrets` made it; else null. */
export function placeOfLink(key: string, secrets: string[]): string | null {
  const [id = "", signature = ""] = key.split(".", 2);
  if (!UUID.test(id)) return null;
  const given = Buffer.from(signature, "base64url");
  const isOurs = secrets.some((secret) => {
    const made = sign(id, secret);
    return made.length === given.length && timingSafeEqual(made, given);
  });
  return isOurs ? id : null;
}

/**
 * Nothing of the waitlist is sent to them from now on. Of what they gave only the email stays, by which they are known
 * again. Unsubscribing again changes nothing.
 */
export async function unsubscribe(db: Database, placeId: string): Promise<void> {
  await db
    .update(waitlist)
    .set({ unsubscribedAt: sql`now()`, phone: null, utmSource: null, utmCampaign: null })
    .where(and(eq(waitlist.id, placeId), isNull(waitlist.unsubscribedAt)));
}
