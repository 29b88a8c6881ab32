/** The link by which a shop that nobody runs yet gets its first owner. */
import { config } from "../app/config.server.ts";
import { db } from "../app/database.server.ts";
import { firstOwnerToken } from "../shop/staff/invitations.server.ts";

/** The line for whoever starts the shop; empty where there is an owner. Each start makes the link anew. */
export async function firstOwnerLine(): Promise<string> {
  const { secret, baseUrl } = config();
  const token = await firstOwnerToken(db, secret);
  return token === null ? "" : `  Become its owner: ${baseUrl}/admin/join?token=${token}\n\n`;
}
