/** Every table with personal data is covered by export, erasure and retention. */
import { randomUUID } from "node:crypto";
import { globSync } from "node:fs";
import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { deleteAccount } from "./erase-account.server.ts";
import { exportCustomer } from "./export.server.ts";
import { notPersonal, personalData } from "./personal-data.ts";
import { applyRetention } from "./retention.server.ts";

const shop = useFreshDatabase();
type Row = Record<string, unknown>;

const personal = Object.entries(personalData).map(([table, data]) => ({ table, ...data }));
const camel = (column: string) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

let owner: { id: string; email: string; emailVerified: boolean };
let filled: Map<string, Row>;

const keyOf = (table: string) => (table === "staff" ? "user_id" : "id");

/** Inserts a row; missing texts are unique. */
async function insert(table: string, given: Row): Promise<Row> {
  const texts = (await textColumns(table)).filter((name) => !(name in given));
  const row: Row = { ...given };
  for (const name of texts) row[name] = `${table}.${name} ${randomUUID()}`;
  const names = Object.keys(row);
  const { rows } = await shop.pool.query<{ row: Row }>(
    `INSERT INTO ${table} AS t (${names.map((name) => `"${name}"`).join()}) VALUES (${names.map((_, i) => `$${i + 1}`).join()})
     ON CONFLICT (${keyOf(table)}) DO UPDATE SET ${names.map((name, i) => `"${name}" = $${i + 1}`).join()} RETURNING to_jsonb(t) AS row`,
    Object.values(row),
  );
  filled.set(table, rows[0]!.row);
  return rows[0]!.row;
}

async function textColumns(table: string): Promise<string[]> {
  const { rows } = await shop.pool.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1
       AND data_type IN ('text', 'character varying', 'jsonb') AND is_generated = 'NEVER'`,
    [table],
  );
  return rows.map(({ name }) => name);
}

async function current(table: string): Promise<Row | undefined> {
  const { rows } = await shop.pool.query<{ row: Row }>(
    `SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${keyOf(table)} = $1`,
    [filled.get(table)?.[keyOf(table)]],
  );
  return rows[0]?.row;
}

async function expectForgotten({ isAged = false } = {}): Promise<void> {
  for (const { table, remaining, reduced, outlivesErasure } of personal) {
    const row = await current(table);
    if (outlivesErasure && !isAged) expect(row, table).toEqual(filled.get(table));
    else if (!remaining) expect(row, table).toBeUndefined();
    else {
      for (const name of await textColumns(table)) {
        if (reduced && name in reduced) {
          const part = { ...(filled.get(table)?.[name] as Row), ...reduced[name] };
          expect(row?.[name], `${table}.${name}`).toEqual(part);
        } else if (remaining.includes(name)) expect(row?.[name], `${table}.${name}`).toEqual(filled.get(table)?.[name]);
        else expect(row?.[name] ?? "", `${table}.${name}`).toBe("");
      }
    }
  }
}

beforeEach(async () => {
  filled = new Map();
  const email = `ada-${randomUUID()}@example.com`;
  const suspension = { suspended_at: new Date(), suspension_reason: "terms" };
  const { id } = await insert("users", { email, email_verified: true, ...suspension });
  owner = { id: String(id), email, emailVerified: true };
  const user_id = id;
  const { rows } = await shop.pool.query("SELECT id FROM products WHERE slug = 'travel-sleeve'");
  const product_id = rows[0].id;
  const expires_at = new Date(Date.now() + 86_400_000);
  await insert("profiles", { id });
  await insert("sessions", { user_id, expires_at });
  await insert("accounts", { user_id });
  await insert("two_factors", { user_id });
  await insert("verifications", { value: id, expires_at });
  await insert("waitlist", { user_id, email, batch: 1 });
  const { rows: letters } = await shop.pool.query("INSERT INTO letters (subject) VALUES ('News') RETURNING id");
  await insert("letter_recipients", { email, letter_id: letters[0].id, queued_at: new Date() });
  await insert("consents", { email, kind: "back-in-stock", product_id });
  await insert("wishlists", { user_id, product_id });
  await insert("cart_items", { user_id, product_id, quantity: 1 });
  const amounts = { subtotal: 1900, shipping: 999, tax: 0, total: 2899 };
  const order = await insert("orders", {
    user_id,
    checkout_key: randomUUID(),
    stage: "delivered",
    payment_status: "captured",
    ship_by: "2099-03-04",
    terms_version: "2025-01-01",
    ...amounts,
  });
  await insert("order_items", { order_id: order.id, product_id, price: 1900, quantity: 1 });
  const { rows: events } = await shop.pool.query<{ row: Row }>(
    `INSERT INTO order_events AS t (order_id, type, from_status, to_status, actor, data)
     VALUES ($1, 'shipped', 'processing', 'shipped', 'staff', '{"carrier": "ups"}') RETURNING to_jsonb(t) AS row`,
    [order.id],
  );
  filled.set("order_events", events[0]!.row);
  const method = { brand: "visa", lastFour: "4242", wallet: null };
  const arrangement = { how: "check", reference: "1042" };
  const paid = { provider: "manual", state: "captured", amount: 2899, method, arrangement, hold_limits: { key: 2 } };
  await insert("payments", { order_id: order.id, kind: "page", dispute: "open", refused_at: null, ...paid });
  const rate = { reference: "shp_1/rate_1", carrier: "ups", service: "Ground", cents: 900, days: 4 };
  const units = { line: 1 };
  const label = { order_id: order.id, state: "voided", box: "small", ounces: 20, units, unshipped: units, rate };
  await insert("labels", { ...label, rates: JSON.stringify([rate]) });
  await insert("shipments", { order_id: order.id, carrier: "ups", state: "delivered", progress: "in-transit" });
  const claim = await insert("returns", {
    order_id: order.id,
    form_key: randomUUID(),
    kind: "warranty",
    state: "closed",
    reason: "power",
    label_by: "us",
    refuse_reason: "late",
    deduction: 1,
    deduction_reason: "used",
    outcome: "repair",
  });
  await insert("return_photos", { return_id: claim.id, image: Buffer.from("a picture") });
  await insert("order_notes", { order_id: order.id, kind: "note" });
  const { rows: charges } = await shop.pool.query(
    "INSERT INTO charges (id, order_id, state, by) VALUES (gen_random_uuid(), $1, 'paid', 'ship') RETURNING id",
    [order.id],
  );
  const sale = { order_id: order.id, charge_id: charges[0].id, kind: "record", state: "done", amount: 1900, tax: 169 };
  const address = { state: "NY", postalCode: "10001" };
  const parts = [{ productId: product_id, amountCents: 1900, taxCents: 169 }];
  await insert("tax_records", { ...sale, parts: JSON.stringify(parts), address });
  await insert("customer_notes", { email, tags: ["press"] });
  const message = await insert("contact_messages", { email, status: "closed", warning: "other-sender" });
  await insert("contact_replies", { id: randomUUID(), message_id: message.id });
  const mail = await insert("incoming_emails", { message_id: message.id, first: false, refused: [] });
  await insert("incoming_pictures", { email_id: mail.id, image: Buffer.from("a picture") });
  const [received_at, closed_at] = [new Date(), new Date()];
  const asked = { kind: "deletion", law: "gdpr", channel: "letter", proof: "document", state: "refused" };
  await insert("privacy_requests", { ...asked, email, received_at, closed_at, due_at: expires_at });
  const notice = `breach-${randomUUID()}`;
  await shop.pool.query("INSERT INTO notices (id, subject, body) VALUES ($1, 'A breach', 'Sorry.')", [notice]);
  await insert("notice_recipients", { email, notice_id: notice, queued_at: new Date() });
  // Staff cannot delete their account; this member has left.
  await insert("staff", { user_id, role: "support", disabled_at: closed_at });
  await insert("staff_sessions", { user_id, ended_at: closed_at, end_reason: "owner" });
  await insert("staff_invitations", { email, role: "packer", expires_at });
  // Rows are append-only, so the test inserts old ones.
  const long_ago = "2001-01-01T00:00:00Z";
  await insert("audit_log", { staff_id: user_id, at: long_ago, before: { role: "packer" }, after: { role: "owner" } });
  await insert("mailbox_messages", { job_id: randomUUID(), to: email, links: [], headers: {} });
});

describe("every table", () => {
  it("is declared once as personal or not", async () => {
    const modules = await Promise.all(
      globSync("shop/**/*.tables.ts").map((file) => import(/* @vite-ignore */ `../../${file}`) as Promise<Row>),
    );
    const tables = modules
      .flatMap((module) => Object.values(module).filter((value) => is(value, PgTable)))
      .map((table) => getTableConfig(table).name);
    expect(tables.length).toBeGreaterThan(15);
    expect(Object.keys({ ...personalData, ...notPersonal }).toSorted()).toEqual(tables.toSorted());
    const { rows } = await shop.pool.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
    );
    expect(rows.map(({ name }) => name).toSorted()).toEqual(tables.toSorted());
  });

  it("with personal data is tested here, with a text in every text column", async () => {
    expect([...filled.keys()].toSorted()).toEqual(personal.map(({ table }) => table).toSorted());
    for (const { table } of personal) {
      for (const name of await textColumns(table)) expect(filled.get(table)?.[name], `${table}.${name}`).toBeTruthy();
    }
  });

  it("that references a person is declared personal", async () => {
    const { rows } = await shop.pool.query<{ name: string }>(
      `SELECT DISTINCT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name ~ '^(user_id|session_id|email|phone|ip_address|first_name|last_name)$'`,
    );
    expect(rows.filter(({ name }) => !personalData[name])).toEqual([]);
  });
});

it("the export has each text that is not withheld, and none that is", async () => {
  const file: Row = await exportCustomer(shop.db, owner);
  for (const { table, section, notExported, withheld = {} } of personal) {
    const part = section ? file[section] : file;
    const text = JSON.stringify(part);
    expect(Boolean(section), table).toBe(!notExported);
    expect(part, table).toBeTruthy();
    expect(part, table).not.toEqual([]);
    for (const name of await textColumns(table)) {
      const value = filled.get(table)?.[name];
      const isShown = text.includes(JSON.stringify(value));
      if (section) expect(isShown, `${table}.${name}`).toBe(!(camel(name) in withheld));
      else if (value !== owner.email && value !== owner.id) expect(isShown, `${table}.${name}`).toBe(false);
    }
    const columns = Object.keys(filled.get(table) ?? {}).map(camel);
    expect(
      Object.keys(withheld).filter((name) => !columns.includes(name)),
      table,
    ).toEqual([]);
  }
});

it("a deleted account leaves exactly what each table declares", async () => {
  await deleteAccount(shop.db, owner, null, null);
  await expectForgotten();
});

it("a row with only an email belongs to nobody who has not verified the email", async () => {
  const { rows } = await shop.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public'
     GROUP BY table_name HAVING bool_or(column_name = 'email') AND NOT bool_or(column_name = 'user_id') AND table_name <> 'users'`,
  );
  const byEmail = rows.map(({ name }) => name).filter((name) => personalData[name]);
  expect(byEmail).toContain("contact_messages");
  const anybody = { ...owner, emailVerified: false };
  const file = JSON.stringify(await exportCustomer(shop.db, anybody));
  for (const table of byEmail) {
    // The other texts are words of a list, which other tables have too.
    for (const name of await textColumns(table))
      if (String(filled.get(table)?.[name]).startsWith(`${table}.`))
        expect(file, `${table}.${name}`).not.toContain(JSON.stringify(filled.get(table)?.[name]));
  }
  await deleteAccount(shop.db, anybody, null, null);
  for (const table of byEmail) expect(await current(table), table).toEqual(filled.get(table));
});

it("an inactive account is erased like a deleted one", async () => {
  const { rows } = await shop.pool.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type LIKE 'timestamp%' AND is_generated = 'NEVER'`,
  );
  // Events are append-only and lose their person with the order.
  const unchanged = ["order_events", "audit_log"];
  const aging = rows.filter(
    (one) =>
      personalData[one.table] &&
      !unchanged.includes(one.table) &&
      one.column !== "disputed_until" &&
      one.column !== "refused_at",
  );
  for (const { table, column } of aging) {
    await shop.pool.query(`UPDATE ${table} SET ${column} = now() - interval '20 years' WHERE ${keyOf(table)} = $1`, [
      filled.get(table)?.[keyOf(table)],
    ]);
  }
  const counts = await applyRetention(shop.db);
  await expectForgotten({ isAged: true });
  for (const { table, retention } of personal) expect(counts?.[retention], table).toBeGreaterThan(0);
});
