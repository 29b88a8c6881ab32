/** Staff made in the database. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Database } from "#db/connection.server.ts";
import { hashPassword } from "#shop/accounts/passwords/password-hash.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { openSigner, STAFF_PURPOSE } from "#shop/purpose-key.server.ts";
import type { Role } from "#shop/roles.ts";
import { giveSecondFactor } from "./second-factor.ts";
import { Visitor } from "./visitor.ts";

export const STAFF_COOKIE = "polara_staff";
const PASSWORD = "correct horse";
let hash: Promise<string> | undefined;

/** The signed cookie of a session for this AUTH_SECRET. */
function staffCookie(staffId: string, token: string, secret: string): string {
  const held = `${staffId}.${token}`;
  return `${held}.${openSigner(secret, STAFF_PURPOSE).sign(held)}`;
}

export type StaffMember = {
  role: Role;
  staffId: string;
  name: string;
  email: string;
  password: string;
  /** The current code. */
  code: () => Promise<string>;
  visitor: Visitor;
  sessionId: string;
  token: string;
  /** Value of the session cookie. */
  cookie: string;
};

type Options = { name?: string; isFresh?: boolean; isDisabled?: boolean };

/** A member with an account, a second factor, a role and a session. */
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
  const cookie = staffCookie(staffId, token, secret);
  visitor.carry(STAFF_COOKIE, cookie);
  return { role, staffId, name, email, password: PASSWORD, code, visitor, sessionId, token, cookie };
}

/** A member without a session, for tests of the shop's functions. */
export async function staffRow(pool: Pool, role: Role): Promise<Acting> {
  const { rows } = await pool.query("INSERT INTO users (email, name) VALUES ($1, 'Ada') RETURNING id", [
    `${randomUUID()}@example.com`,
  ]);
  await pool.query("INSERT INTO staff (user_id, role) VALUES ($1, $2)", [rows[0].id, role]);
  return { staffId: rows[0].id, role, address: "192.0.2.1", requestId: null };
}
