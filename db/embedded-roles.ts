/**
 * Who may do what in the embedded database. The administrator, made by initdb, is used while it starts and by backups;
 * the shop connects as a role that owns its database and may do nothing beyond it.
 */
import { Client, DatabaseError, escapeLiteral } from "pg";
import { lostPassword } from "./embedded-faults.ts";

export const ADMIN = "polara_admin";
export const SHOP = "polara";
const MOVER = "polara_mover";

export type Passwords = {
  admin: string;
  /** Of this run alone: set at each start, and kept in memory. */
  shop: string;
  /** The shop's in a folder from before, where a file kept it. */
  former: string | null;
};

async function connectAs(role: string, password: string, port: number, database = "postgres"): Promise<Client> {
  const connectionString = `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
  const client = new Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    // A refusal of our own side leaves the connection open.
    void client.end().catch(() => {});
    throw error;
  }
}

/** Where the administrator is, beside the shop's own database. */
export const connectAsShop = (port: number, { shop }: Passwords): Promise<Client> => connectAs(SHOP, shop, port);

/** Null where PostgreSQL answers and knows no such role with this password; what else fails is thrown. */
async function connectIfKnown(...who: Parameters<typeof connectAs>): Promise<Client | null> {
  return connectAs(...who).catch((error: { code?: string }) => {
    if (error.code === "28P01" || error.code === "28000") return null;
    throw error;
  });
}

/** True where PostgreSQL runs and says that files or databases are not what they were. */
const isBroken = (error: unknown) => error instanceof DatabaseError && /^(XX|58|3D)/.test(error.code ?? "");

/**
 * The administrator, or, in a folder from before there was one, the shop as it was then. Null: nobody answers yet.
 * Throws where neither can do the administrator's work.
 */
export async function connectAsAdmin(port: number, { admin, former }: Omit<Passwords, "shop">): Promise<Client | null> {
  let client: Client | null;
  try {
    client = await connectIfKnown(ADMIN, admin, port);
    if (!client && former !== null) client = await connectIfKnown(SHOP, former, port);
  } catch (error) {
    if (isBroken(error)) throw error;
    return null;
  }
  if (!client) throw lostPassword();
  const { rows } = await client.query("SELECT rolsuper FROM pg_roles WHERE rolname = session_user");
  if (rows[0].rolsuper) return client;
  await client.end();
  throw lostPassword();
}

/** Every object of a database that initdb's role made for the shop; what belongs to an extension stays with it. */
const GIVE_TO_SHOP = `
DO $$
DECLARE change text;
BEGIN
  FOR change IN
    WITH schemas AS (
      SELECT oid, nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
    ), members AS (
      SELECT classid, objid FROM pg_depend WHERE deptype = 'e'
    )
    SELECT format('SCHEMA %I', nspname) FROM schemas WHERE nspname <> 'public'
    UNION ALL
    SELECT format('TABLE %s', oid::regclass) FROM pg_class c
      WHERE relnamespace IN (SELECT oid FROM schemas) AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
        AND ('pg_class'::regclass, oid) NOT IN (SELECT * FROM members)
        AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype IN ('a', 'i') AND c.relkind = 'S')
    UNION ALL
    SELECT format('ROUTINE %s', oid::regprocedure) FROM pg_proc
      WHERE pronamespace IN (SELECT oid FROM schemas) AND ('pg_proc'::regclass, oid) NOT IN (SELECT * FROM members)
    UNION ALL
    SELECT format('TYPE %s', oid::regtype) FROM pg_type t
      WHERE typnamespace IN (SELECT oid FROM schemas) AND ('pg_type'::regclass, oid) NOT IN (SELECT * FROM members)
        AND (typtype IN ('e', 'd', 'r') OR EXISTS (SELECT FROM pg_class WHERE oid = t.typrelid AND relkind = 'c'))
  LOOP
    EXECUTE format('ALTER %s OWNER TO ${SHOP}', change);
  END LOOP;
END $$`;

/**
 * In a folder from before, initdb's superuser is the shop's own role. It cannot be made less than that, so it becomes
 * the administrator, and the shop gets a role of its own under the old name. All or nothing, in one transaction.
 */
async function splitRoles(port: number, admin: string, former: string): Promise<void> {
  const before = await connectAs(SHOP, former, port);
  // Nobody can rename the role that they connected as.
  await before.query(`DROP ROLE IF EXISTS ${MOVER}`);
  await before.query(`CREATE ROLE ${MOVER} SUPERUSER LOGIN PASSWORD ${escapeLiteral(admin)}`);
  const { rowCount } = await before.query("SELECT FROM pg_database WHERE datname = $1", [SHOP]);
  if (rowCount === 0) await before.query(`CREATE DATABASE ${SHOP}`);
  await before.end();
  const mover = await connectAs(MOVER, admin, port, SHOP);
  try {
    await mover.query(`
      BEGIN;
      ALTER ROLE ${SHOP} RENAME TO ${ADMIN};
      ALTER ROLE ${ADMIN} PASSWORD ${escapeLiteral(admin)};
      CREATE ROLE ${SHOP};
      ALTER DATABASE ${SHOP} OWNER TO ${SHOP};
      ${GIVE_TO_SHOP};
      COMMIT`);
  } finally {
    await mover.end();
  }
}

/** Brings roles and database to what they have to be, from whatever an earlier start left. */
export async function prepareRoles(port: number, passwords: Passwords): Promise<void> {
  let admin = await connectIfKnown(ADMIN, passwords.admin, port);
  if (!admin) {
    if (passwords.former === null) throw lostPassword();
    await splitRoles(port, passwords.admin, passwords.former);
    admin = await connectAs(ADMIN, passwords.admin, port);
  }
  try {
    const has = async (query: string) => (await admin.query(query)).rowCount !== 0;
    await admin.query(`DROP ROLE IF EXISTS ${MOVER}`);
    if (!(await has(`SELECT FROM pg_roles WHERE rolname = '${SHOP}'`))) await admin.query(`CREATE ROLE ${SHOP}`);
    await admin.query(
      `ALTER ROLE ${SHOP} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD ${escapeLiteral(passwords.shop)}`,
    );
    if (!(await has(`SELECT FROM pg_database WHERE datname = '${SHOP}'`)))
      await admin.query(`CREATE DATABASE ${SHOP} OWNER ${SHOP}`);
  } finally {
    await admin.end();
  }
}
