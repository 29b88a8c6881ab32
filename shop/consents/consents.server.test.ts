import { beforeEach, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { someEmail } from "#tests/support/people.ts";
import {
  chooseLetters,
  consentUrl,
  countConsents,
  giveConsent,
  listConsents,
  listOpenConsents,
  SUBSCRIPTIONS,
} from "./consents.server.ts";
import { consents } from "./consent.tables.ts";

const shop = useFreshDatabase();
const secret = "a secret that only tests know, and long enough";
const { find, end } = SUBSCRIPTIONS["/unsubscribe"]!;
const keyOf = (id: string) => new URL(consentUrl(id, { baseUrl: "http://localhost", secret })).searchParams.get("k")!;

let productIds: string[];
beforeEach(async () => {
  await shop.db.delete(consents);
  const { rows } = await shop.pool.query<{ id: string }>("SELECT id FROM products ORDER BY slug LIMIT 2");
  productIds = rows.map(({ id }) => id);
});

const open = async (email: string) => (await listOpenConsents(shop.db, email)).map(({ kind }) => kind);
const none = { news: false, owners: false, stopBackInStock: false };

it("a consent says who, to what, the words, where and when, and is kept once it is withdrawn", async () => {
  const email = someEmail();
  await giveConsent(shop.db, { email: email.toUpperCase(), kind: "news", page: "/account" });
  await giveConsent(shop.db, { email, kind: "news", page: "/elsewhere" });
  expect(await listConsents(shop.db, null, 10)).toMatchObject([
    { email, kind: "news", page: "/account", words: expect.stringContaining("Email me news"), withdrawnAt: null },
  ]);
  await chooseLetters(shop.db, email, none, "/account");
  expect(await open(email)).toEqual([]);
  await chooseLetters(shop.db, email, { ...none, news: true }, "/account");
  expect(await countConsents(shop.db)).toEqual({ news: 1 });
  const withdrawn = (await listConsents(shop.db, null, 10)).map((row) => row.withdrawnAt !== null);
  expect(withdrawn.toSorted()).toEqual([false, true]);
});

it("the choice of the account leaves alone what it does not name", async () => {
  const [email, other] = [someEmail(), someEmail()];
  for (const productId of productIds)
    await giveConsent(shop.db, { email, kind: "back-in-stock", productId, page: "/product" });
  await giveConsent(shop.db, { email: other, kind: "news", page: "/account" });
  await chooseLetters(shop.db, email, { ...none, owners: true }, "/account");
  expect(await open(email)).toEqual(["back-in-stock", "back-in-stock", "owners"]);
  await chooseLetters(shop.db, email, { ...none, stopBackInStock: true }, "/account");
  expect([await open(email), await open(other)]).toEqual([[], ["news"]]);
});

it("a signed link withdraws all consents of its kind and email, and no others", async () => {
  const [email, other] = [someEmail(), someEmail()];
  for (const productId of productIds)
    await giveConsent(shop.db, { email, kind: "back-in-stock", productId, page: "/product" });
  await giveConsent(shop.db, { email, kind: "news", page: "/account" });
  await giveConsent(shop.db, { email: other, kind: "back-in-stock", productId: productIds[0]!, page: "/product" });
  const { id } = (await listConsents(shop.db, null, 10)).find((row) => row.email === email && row.kind !== "news")!;
  expect(find(keyOf(id), [secret])).toBe(id);
  for (const forged of ["", id, `${id}.`, `${keyOf(id)}x`, keyOf(id).replace(id, productIds[0]!)])
    expect(find(forged, [secret])).toBeNull();
  expect(find(keyOf(id), ["another secret"])).toBeNull();
  expect([await end(shop.db, id), await end(shop.db, id)]).toEqual([true, true]);
  expect([await open(email), await open(other)]).toEqual([["news"], ["back-in-stock"]]);
  await shop.db.delete(consents);
  expect(await end(shop.db, id)).toBe(false);
});
