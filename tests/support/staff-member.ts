/** Somebody who works in the back office, made in the database: account, second factor, role and a session that holds. */
import { createHash, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { Database } from "../../db/connection.server.ts";
import { hashPassword } from "../../shop/accounts/passwords/password-hash.server.ts";
import type { Role } from "../../shop/staff/roles.ts";
import { giveSecondFactor } from "./second-factor.ts";
import { Visitor } from "./visitor.ts";

export const STAFF_COOKIE = "polara_staff";
const PASSWORD = "correct horse";
let hash: Promise<string> | undefined;

export type StaffMember = {
  role: Role;
  staffId: string;
  name: string;
  email: string;
  password: string;
  /** What their app shows now. */
  code: () => Promise<string>;
  visitor: Visitor;
  sessionId: string;
  /** The value of their cookie. */
  token: string;
};

type Options = { name?: string; isFresh?: boolean; isDisabled?: boolean };

export async function makeStaff(
  database: { db: Database; pool: Pool },
  { url, secret }: { url: string; secret: string },
  role: Role,
  { name = `${role} ${randomBytes(3).toString("hex")}`, isFresh = true, isDisabled = false }: Options = {},
): Promise<StaffMember> {
  const { pool } = database;
  const email = `${name.toLowerCase().replaceAll(" ", ".")}@example.com`;
  const one = async (text: string, values: unknown[]) =>
    (await pool.query<{ id: string }>(`${text} RETURNING id`, values)).rows[0]!.id;
  const staffId = await one("INSERT INTO users (email, email_verified, name, first_name) VALUES ($1, true, $2, $2)", [
    email,
    name,
  ]);
  await pool.query(
    "INSERT INTO accounts (user_id, account_id, provider_id, password) VALUES ($1::uuid, $1::uuid::text, 'credential', $2)",
    [staffId, await (hash ??= hashPassword(PASSWORD))],
  );
  const { code } = await giveSecondFactor(database, secret, staffId);
  await pool.query(
    `INSERT INTO staff (user_id, role, factor_id, disabled_at)
     SELECT $1, $2, id, CASE WHEN $3 THEN now() END FROM two_factors WHERE user_id = $1`,
    [staffId, role, isDisabled],
  );
  const token = randomBytes(32).toString("base64url");
  const sessionId = await one(
    "INSERT INTO staff_sessions (user_id, token_hash, proved_at) VALUES ($1, $2, now() - $3 * interval '1 minute')",
    [staffId, createHash("sha256").update(token).digest("base64url"), isFresh ? 0 : 11],
  );
  const visitor = new Visitor(url);
  visitor.carry(STAFF_COOKIE, token);
  return { role, staffId, name, email, password: PASSWORD, code, visitor, sessionId, token };
}
