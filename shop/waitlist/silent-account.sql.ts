import { sql } from "drizzle-orm";
import { accounts, users } from "../accounts/account.tables.ts";

/** Whether a row of users is the waitlist's silent account: without any way in but the link in its mail. */
export const isSilent = sql<boolean>`NOT EXISTS (SELECT 1 FROM ${accounts} WHERE ${accounts.userId} = ${users.id})`;
