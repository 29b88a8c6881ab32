/** Contact messages: stored together with their emails. */
import { randomUUID } from "node:crypto";
import { eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { consumeMail, enqueueEmailCall, refundMail } from "#shop/mail/enqueue-email.server.ts";
import type { RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import type { ContactForm } from "./contact-form.ts";
import { contactMessages } from "./contact.tables.ts";

/** Stops floods of receipts to a stranger's inbox. */
export const MESSAGES_AN_HOUR = 5;

export type ContactMessage = ContactForm & { id: string };
type SendResult = { ok: true } | { ok: false; reason: "too-many" } | { ok: false; reason: "limited"; wait: number };

/**
 * SQL of the order that a message is about: among orders with the sender's email the one whose number it names, else
 * the newest. Orders of other emails are never shown.
 */
export const recognizedOrder = (email: string, text: string): SQL => sql`(
  SELECT id FROM (
    SELECT id, created_at FROM orders WHERE user_id IS NULL AND lower(email) = lower(${email}::text)
    UNION ALL
    SELECT o.id, o.created_at FROM orders o JOIN users u ON u.id = o.user_id WHERE u.email = lower(${email}::text)
  ) own ORDER BY strpos(lower(${text}::text), left(id::text, 8)) > 0 DESC, created_at DESC LIMIT 1)`;

/**
 * Stores a message and queues its two emails in one statement. A repetition within ten minutes is the same message.
 * Refused: 'too-many' after five messages of an address in an hour, 'limited' at the email limit of the inbox or
 * `network`.
 */
export async function sendMessage(
  db: Database,
  rateLimits: RateLimits,
  { name, email, message }: ContactForm,
  network: string,
): Promise<SendResult> {
  const caused = { to: email, network };
  const mail = await consumeMail(rateLimits, caused);
  if (!mail.permit) return { ok: false, reason: "limited", wait: mail.wait };
  const messageId = randomUUID();
  const { rows } = await db.execute<{ stored: boolean; repeated: boolean }>(sql`
    WITH recent AS (
      SELECT message, created_at FROM contact_messages
      WHERE lower(email) = lower(${email}) AND created_at > now() - interval '1 hour' AND NOT automatic
    ), state AS (
      SELECT count(*) AS sent, coalesce(bool_or(message = ${message} AND created_at > now() - interval '10 minutes'), false) AS repeated
      FROM recent
    ), stored AS (
      INSERT INTO contact_messages (id, name, email, message, order_id, created_at)
      SELECT ${messageId}::uuid, ${name}, ${email}, ${message}, ${recognizedOrder(email, message)}, now() FROM state
      WHERE sent < ${MESSAGES_AN_HOUR}::int AND NOT repeated
      RETURNING
        ${enqueueEmailCall({ template: "contact-message", messageId }, mail.permit)} AS to_support,
        ${enqueueEmailCall({ template: "contact-receipt", messageId }, mail.permit)} AS to_sender
    )
    SELECT EXISTS (SELECT 1 FROM stored) AS stored, repeated FROM state`);
  if (!rows[0]?.stored) await refundMail(rateLimits, caused);
  return rows[0]?.stored || rows[0]?.repeated ? { ok: true } : { ok: false, reason: "too-many" };
}

export async function getMessage(db: Database, id: string): Promise<ContactMessage | null> {
  const { name, email, message } = contactMessages;
  const [found] = await db
    .select({ id: contactMessages.id, name, email, message })
    .from(contactMessages)
    .where(eq(contactMessages.id, id));
  return found ?? null;
}
