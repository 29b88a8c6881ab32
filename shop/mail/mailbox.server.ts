/** What the embedded mailbox holds, newest first. */
import { desc } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { mailboxMessages } from "./mail.tables.ts";

const MAX_MESSAGES = 200;

/** The newest 200 emails. `sentAt` is UTC. */
export function listMailbox(db: Database) {
  return db
    .select()
    .from(mailboxMessages)
    .orderBy(desc(mailboxMessages.sentAt), desc(mailboxMessages.id))
    .limit(MAX_MESSAGES);
}
