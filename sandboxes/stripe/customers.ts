/** Customers and their saved cards. */
import type Stripe from "stripe";
import type { PoolClient } from "pg";
import { notFound, unknownParam, type Payer } from "./payment.ts";
import { newId } from "./secrets.ts";
import { readClock, readPayment } from "./store.ts";

type NewCustomer = { email?: string | undefined; metadata?: Stripe.Metadata | undefined };

export async function createCustomer(sql: PoolClient, { email, metadata = {} }: NewCustomer): Promise<Stripe.Customer> {
  const created = await readClock(sql);
  const customer = {
    id: newId("cus"),
    object: "customer",
    created,
    email: email ?? null,
    livemode: false,
    metadata,
  } as Stripe.Customer;
  await sql.query("INSERT INTO payment_sandbox.customers (id, state) VALUES ($1, $2)", [customer.id, customer]);
  return customer;
}

/** Until the transaction ends, the customer cannot be deleted. */
async function findCustomer(sql: PoolClient, id: string): Promise<Stripe.Customer | Stripe.DeletedCustomer | null> {
  const { rows } = await sql.query<{ state: Stripe.Customer; is_deleted: boolean }>(
    "SELECT state, is_deleted FROM payment_sandbox.customers WHERE id = $1 FOR SHARE",
    [id],
  );
  if (!rows[0]) return null;
  return rows[0].is_deleted ? { id, object: "customer", deleted: true } : rows[0].state;
}

/** Deleted customers are still found, without their data. */
export async function readCustomer(sql: PoolClient, id: string): Promise<Stripe.Customer | Stripe.DeletedCustomer> {
  const customer = await findCustomer(sql, id);
  if (!customer) throw notFound("customer", id);
  return customer;
}

/** Throws a Refusal of the parameter `customer` unless there is one. */
export async function checkCustomer(sql: PoolClient, id: string): Promise<void> {
  const customer = await findCustomer(sql, id);
  if (!customer || customer.deleted) throw unknownParam("customer", "customer", id);
}

export async function deleteCustomer(sql: PoolClient, id: string): Promise<Stripe.DeletedCustomer> {
  const { rowCount } = await sql.query(
    `UPDATE payment_sandbox.customers SET is_deleted = true, state = '{}' WHERE id = $1 AND NOT is_deleted`,
    [id],
  );
  if (rowCount === 0) throw notFound("customer", id);
  return { id, object: "customer", deleted: true };
}

/** A saved card without its customer once that is deleted. */
export async function readMethod(sql: PoolClient, id: string): Promise<Stripe.PaymentMethod> {
  const { method } = (await readPayment(sql, id)) ?? {};
  if (method?.id !== id) throw notFound("PaymentMethod", id);
  const owner = typeof method.customer === "string" ? await findCustomer(sql, method.customer) : null;
  return owner?.deleted ? { ...method, customer: null } : method;
}

/** The payer of a saved card. Throws a Refusal unless it belongs to the customer. */
export async function payerOf(sql: PoolClient, customerId: string, methodId: string): Promise<Payer> {
  await checkCustomer(sql, customerId);
  const { method, payer } = (await readPayment(sql, methodId)) ?? {};
  if (method?.id !== methodId || method.customer !== customerId || !payer) {
    throw unknownParam("payment_method", "PaymentMethod", methodId);
  }
  return payer;
}
