/** Somebody of the staff for tests of the shop's functions: a row, without a session. */
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Acting } from "../../shop/staff/audit.server.ts";
import type { Role } from "../../shop/staff/roles.ts";

export async function staffRow(pool: Pool, role: Role): Promise<Acting> {
  const { rows } = await pool.query("INSERT INTO users (email, name) VALUES ($1, 'Ada') RETURNING id", [
    `${randomUUID()}@example.com`,
  ]);
  await pool.query("INSERT INTO staff (user_id, role) VALUES ($1, $2)", [rows[0].id, role]);
  return { staffId: rows[0].id, role, address: "192.0.2.1", requestId: null };
}
