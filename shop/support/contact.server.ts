/** A message that the shop says it has is stored, and the mails about it are queued with it. */
import { randomUUID } from "node:crypto";
import { eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { consumeMail, refundMail } from "../mail/mail-budget.server.ts";
import { enqueueEmailCall } from "../mail/enqueue-email.server.ts";
import type { RateLimits } from "../rate-limits/rate-limits.server.ts";
import type { ContactForm } from "./contact-form.ts";
import { contactMessages } from "./contact.tables.ts";

/** So that nobody can have the shop flood a stranger's inbox with receipts. */
export const MESSAGES_AN_HOUR = 5;

export type ContactMessage = ContactForm & { id: string };
export type SendResult =
  | { ok: true }
  | { ok: false; reason: "too-many" }
  | { ok: false; reason: "limited"; /** In seconds. */ wait: number };

/**
 * The order that a text is about, as an expression: of the orders with this email, by account or as a guest, the one whose
 * number the text names, else the newest. Whoever writes has proved nothing, so no other order is ever put beside it.
 */
const recognizedOrder = (email: string, text: string): SQL => sql`(
  SELECT id FROM (
    SELECT id, created_at FROM orders WHERE user_id IS NULL AND lower(email) = lower(${email}::text)
    UNION ALL
    SELECT o.id, o.created_at FROM orders o JOIN users u ON u.id = o.user_id WHERE u.email = lower(${email}::text)
  ) own ORDER BY strpos(lower(${text}::text), left(id::text, 8)) > 0 DESC, created_at DESC LIMIT 1)`;

/**
 * Stores the message and queues a mail to support and one to the sender, in one statement. The same
 * message sent again within ten minutes is the same message. Refused with 'too-many' after five
 * messages from one address in an hour, and with 'limited' where the receipt would be one email too many for its inbox,
 * or the two for `network`, the caller's.
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
      WHERE lower(email) = lower(${email}) AND created_at > now() - interval '1 hour'
    ), state AS (
      SELECT count(*) AS sent, coalesce(bool_or(message = ${message} AND created_at > now() - interval '10 minutes'), false) AS repeated
      FROM recent
    ), stored AS (
      INSERT INTO contact_messages (id, name, email, message, order_id)
      SELECT ${messageId}::uuid, ${name}, ${email}, ${message}, ${recognizedOrder(email, message)} FROM state
      WHERE sent < ${MESSAGES_AN_HOUR}::int AND NOT repeated
      RETURNING
        ${enqueueEmailCall({ template: "contact-message", messageId }, mail.permit)} AS to_support,
        ${enqueueEmailCall({ template: "contact-receipt", messageId }, mail.permit)} AS to_sender
    )
    SELECT EXISTS (SELECT 1 FROM stored) AS stored, repeated FROM state`);
  if (!rows[0]?.stored) await refundMail(rateLimits, caused);
  return rows[0]?.stored || rows[0]?.repeated ? { ok: true } : { ok: false, reason: "too-many" };
}

/** The message of an outbox job, or null where it was deleted meanwhile. */
export async function getMessage(db: Database, id: string): Promise<ContactMessage | null> {
  const { name, email, message } = contactMessages;
  const [found] = await db
    .select({ id: contactMessages.id, name, email, message })
    .from(contactMessages)
    .where(eq(contactMessages.id, id));
  return found ?? null;
}
