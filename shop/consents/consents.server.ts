/** The ledger of consents to letters. Places on the waitlist are consents of their own, in shop/waitlist. */
import { and, count, desc, eq, isNull, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { afterRow } from "#db/lists.sql.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { isSame, signed } from "#shop/purpose-key.server.ts";
import { placeOfLink, unsubscribe } from "#shop/waitlist/waitlist.server.ts";
import { CONSENTS, type ConsentKind, type LettersChoice } from "./consent.ts";
import { consents } from "./consent.tables.ts";

/** True for a consent that counts: neither withdrawn, nor to one letter that has been sent. */
const isOpen = and(isNull(consents.withdrawnAt), isNull(consents.toldAt));

/** `page` is the path that asked. Idempotent: an open consent keeps its time. */
export async function giveConsent(
  db: DatabaseOrTransaction,
  {
    email,
    kind,
    productId = null,
    page,
  }: { email: string; kind: ConsentKind; productId?: string | null; page: string },
): Promise<void> {
  const { words } = CONSENTS[kind];
  await db.insert(consents).values({ email: email.toLowerCase(), kind, productId, words, page }).onConflictDoNothing();
}

/** Withdraws all consents of one kind. Idempotent. */
export async function withdrawConsent(db: DatabaseOrTransaction, email: string, kind: ConsentKind): Promise<void> {
  await db
    .update(consents)
    .set({ withdrawnAt: sql`now()` })
    .where(and(eq(consents.email, email.toLowerCase()), eq(consents.kind, kind), isNull(consents.withdrawnAt)));
}

/** Carries out the choice of a proven email in one transaction. */
export const chooseLetters = (db: Database, email: string, choice: LettersChoice, page: string): Promise<void> =>
  db.transaction(async (tx) => {
    for (const kind of ["news", "owners"] as const)
      await (choice[kind] ? giveConsent(tx, { email, kind, page }) : withdrawConsent(tx, email, kind));
    if (choice.stopBackInStock) await withdrawConsent(tx, email, "back-in-stock");
  });

export type OpenConsent = { kind: ConsentKind; product: string | null };

/** The consents of a proven email that count, in the order of asking, with the names of their products. */
export const listOpenConsents = (db: Database, email: string): Promise<OpenConsent[]> =>
  db
    .select({ kind: consents.kind, product: products.name })
    .from(consents)
    .leftJoin(products, eq(products.id, consents.productId))
    .where(and(eq(consents.email, email.toLowerCase()), isOpen))
    .orderBy(consents.createdAt, consents.id);

export const consentRow = {
  id: consents.id,
  email: consents.email,
  kind: consents.kind,
  product: products.name,
  words: consents.words,
  page: consents.page,
  createdAt: consents.createdAt,
  toldAt: consents.toldAt,
  withdrawnAt: consents.withdrawnAt,
};

/** The whole ledger, newest first, `limit` rows after the id of another page's last one. */
export const listConsents = (db: Database, after: string | null, limit: number) =>
  db
    .select(consentRow)
    .from(consents)
    .leftJoin(products, eq(products.id, consents.productId))
    .where(afterRow(sql`consents`, [sql`consents.created_at`, sql`consents.id`], after))
    .orderBy(desc(consents.createdAt), desc(consents.id))
    .limit(limit);

/** Number of people on each list now. */
export async function countConsents(db: Database): Promise<Partial<Record<ConsentKind, number>>> {
  const rows = await db
    .select({ kind: consents.kind, count: count() })
    .from(consents)
    .where(isOpen)
    .groupBy(consents.kind);
  return Object.fromEntries(rows.map(({ kind, count: people }) => [kind, people]));
}

/** Unsubscribing from letters, by a signed link without sign-in. */

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const sign = (id: string, secret: string) => signed(secret, "unsubscribe from letters", id);

export const consentUrl = (id: string, { baseUrl, secret }: { baseUrl: string; secret: string }) =>
  `${baseUrl}/unsubscribe?k=${id}.${sign(id, secret)}`;

function consentOfLink(key: string, secrets: string[]): string | null {
  const [id = "", signature = ""] = key.split(".", 2);
  if (!UUID.test(id)) return null;
  return secrets.some((secret) => isSame(sign(id, secret), signature)) ? id : null;
}

/**
 * Withdraws what the consent of a letter asked for, with all others of its kind and email. Idempotent. False if the
 * consent is gone.
 */
async function withdrawById(db: Database, id: string): Promise<boolean> {
  await db.execute(sql`
    UPDATE consents SET withdrawn_at = now() FROM consents AS linked
    WHERE linked.id = ${id}::uuid AND consents.email = linked.email AND consents.kind = linked.kind
      AND consents.withdrawn_at IS NULL`);
  return (await db.$count(consents, eq(consents.id, id))) > 0;
}

type Subscription = {
  /** Returns the id in a link signed with one of `secrets`; else null. */
  find(key: string, secrets: string[]): string | null;
  /** False if what the link is about is gone. */
  end(db: Database, id: string): Promise<boolean>;
};

/** Subscriptions by the path of their links. */
export const SUBSCRIPTIONS: Record<string, Subscription> = {
  "/waitlist/unsubscribe": { find: placeOfLink, end: unsubscribe },
  "/unsubscribe": { find: consentOfLink, end: withdrawById },
};
