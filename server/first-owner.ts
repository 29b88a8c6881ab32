/** The link by which a shop that nobody runs yet gets its first owner. */
import { openDatabase } from "../db/connection.server.ts";
import type { Config } from "../app/config.server.ts";
import { firstOwnerToken } from "../shop/staff/invitations.server.ts";

/** The line for whoever starts the shop; empty where there is an owner. Each start makes the link anew. */
export async function firstOwnerLine({ databaseUrl, secret, baseUrl }: Config): Promise<string> {
  const { db, pool } = openDatabase(databaseUrl, 1);
  try {
    const token = await firstOwnerToken(db, secret);
    return token === null ? "" : `  Become its owner: ${baseUrl}/admin/join?token=${token}\n\n`;
  } finally {
    await pool.end();
  }
}
