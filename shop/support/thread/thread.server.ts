/** A conversation: the message and its replies. */
import { and, asc, desc, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { ROLES } from "#shop/roles.ts";
import { staff } from "#shop/staff/staff.tables.ts";
import { may } from "#shop/staff/permissions.ts";
import { contactMessages, contactReplies } from "../contact.tables.ts";
import { incomingEmails, incomingPictures } from "../inbox/inbox.tables.ts";
import { splitQuoted } from "../inbox/quoted.ts";

/** Age at which an unsent email is given up. */
const TRIED_DAYS = 2;
const OTHERS = 10;

type Thread = NonNullable<Awaited<ReturnType<typeof readThread>>>;

const stateOf = ({ sentAt, isOld }: { sentAt: Date | null; isOld: boolean }) =>
  sentAt ? "sent" : isOld ? "not delivered" : "on its way";

/**
 * The conversation of a message, or null; `emails` came from its sender, the first of them being the message itself if
 * `isFirst`; `seen` is the number of emails and replies; `statusBy` is who closed or reopened it, a reply's `by` its
 * author, null if the account is gone. The caller checks the permission.
 */
export async function readThread(db: Database, messageId: string) {
  const { id, name, email, sentFrom, message, subject, warning, claimedId, isAutomatic, status } = contactMessages;
  const { createdAt, orderId, assignedTo } = contactMessages;
  const origin = { id, name, email, sentFrom, message, subject, warning, claimedId };
  const shown = { ...origin, isAutomatic, status, createdAt, orderId, assignedTo };
  const [[found], emails, replies] = await Promise.all([
    db
      .select({ ...shown, statusBy: users.name })
      .from(contactMessages)
      .leftJoin(users, eq(users.id, contactMessages.statusBy))
      .where(eq(id, messageId)),
    readEmails(db, messageId),
    db
      .select({
        id: contactReplies.id,
        body: contactReplies.body,
        createdAt: contactReplies.createdAt,
        sentAt: contactReplies.sentAt,
        isOld: sql<boolean>`${contactReplies.createdAt} < now() - ${TRIED_DAYS} * interval '1 day'`,
        by: users.name,
      })
      .from(contactReplies)
      .leftJoin(users, eq(users.id, contactReplies.staffId))
      .where(eq(contactReplies.messageId, messageId))
      .orderBy(asc(contactReplies.createdAt), asc(contactReplies.id)),
  ]);
  if (!found) return null;
  return {
    ...found,
    emails,
    seen: emails.length + replies.length,
    replies: replies.map(({ sentAt, isOld, ...reply }) => ({ ...reply, state: stateOf({ sentAt, isOld }) })),
  };
}

/** Emails of a conversation, each without the history that it repeats, and the pictures in them. */
async function readEmails(db: Database, messageId: string) {
  const { id, text, replyTo, isFirst, refused, createdAt } = incomingEmails;
  const of = eq(incomingEmails.messageId, messageId);
  const [emails, pictures] = await Promise.all([
    db
      .select({ id, text, replyTo, isFirst, refused, createdAt })
      .from(incomingEmails)
      .where(of)
      .orderBy(asc(createdAt)),
    db
      .select({ id: incomingPictures.id, emailId: incomingPictures.emailId, name: incomingPictures.name })
      .from(incomingPictures)
      .innerJoin(incomingEmails, eq(id, incomingPictures.emailId))
      .where(of)
      .orderBy(asc(incomingPictures.createdAt)),
  ]);
  return emails.map(({ text: whole, ...email }) => ({
    ...email,
    ...splitQuoted(whole),
    pictures: pictures.filter(({ emailId }) => emailId === email.id),
  }));
}

/** A picture of a conversation, or null. The caller has checked who may read messages. */
export async function readPicture(
  db: Database,
  pictureId: string,
  messageId: string,
): Promise<Buffer<ArrayBuffer> | null> {
  const [picture] = await db
    .select({ image: incomingPictures.image })
    .from(incomingPictures)
    .innerJoin(incomingEmails, eq(incomingEmails.id, incomingPictures.emailId))
    .where(and(eq(incomingPictures.id, pictureId), eq(incomingEmails.messageId, messageId)));
  return picture ? Buffer.from(picture.image) : null;
}

/** Latest other messages of the same email. */
export const otherMessages = (db: Database, { id, email }: Pick<Thread, "id" | "email">) =>
  db
    .select({
      id: contactMessages.id,
      begins: sql<string>`left(${contactMessages.message}, 80)`,
      status: contactMessages.status,
      createdAt: contactMessages.createdAt,
    })
    .from(contactMessages)
    .where(and(eq(sql`lower(${contactMessages.email})`, email.toLowerCase()), ne(contactMessages.id, id)))
    .orderBy(desc(contactMessages.createdAt))
    .limit(OTHERS);

const replierRoles = ROLES.filter((role) => may(role, "messages:reply"));

/** Condition on staff: active, and their role may answer messages. */
export const isReplier = and(isNull(staff.disabledAt), inArray(staff.role, replierRoles));

/** Staff who may answer messages. */
export const listRepliers = (db: DatabaseOrTransaction): Promise<{ id: string; name: string }[]> =>
  db
    .select({ id: staff.userId, name: users.name })
    .from(staff)
    .innerJoin(users, eq(users.id, staff.userId))
    .where(isReplier)
    .orderBy(asc(users.name));
