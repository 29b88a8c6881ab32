import { expect, it } from "vitest";
import { detailsOf, sentenceOf, subjectOf, type AuditRow } from "./sentence.ts";

const ID = "c52aee86-90ad-4a3c-8a0f-6ce26c2b9b4e";

const rowOf = (action: string, kind: string, rest: Partial<AuditRow> = {}): AuditRow => ({
  action,
  subject: kind && `${kind}:${ID}`,
  subjectName: null,
  before: null,
  after: null,
  ...rest,
});

const inWords = (row: AuditRow) => {
  const { before, after } = sentenceOf(row);
  return after === null ? before : before + (subjectOf(row)?.words ?? "") + after;
};

it.each<[AuditRow, string]>([
  [
    rowOf("order.refund", "order", { after: { cents: 20_00, reason: "goodwill" } }),
    "refunded $20.00 (goodwill) on order c52aee86",
  ],
  [rowOf("order.address", "order", { after: { changed: "city" } }), "changed the address of order c52aee86"],
  [
    rowOf("order.refund", "order", { after: { cents: 5, reason: "items-canceled" } }),
    "refunded $0.05 (items canceled) on order c52aee86",
  ],
  [
    rowOf("product.edit", "product", {
      subjectName: "Charging Dock",
      before: { priceCents: 1, shortDescription: "", version: 1 },
      after: { priceCents: 2, shortDescription: "x", version: 2 },
    }),
    "changed price, short description of Charging Dock",
  ],
  [
    rowOf("stock.move", "product", { before: { units: 3 }, after: { units: 5, reason: "received", note: null } }),
    "changed the stock of a deleted product from 3 to 5 (received)",
  ],
  [
    rowOf("staff.role", "staff", { subjectName: "Sue", before: { role: "packer" }, after: { role: "support" } }),
    "changed the role of Sue from packer to support",
  ],
  [rowOf("product.delete", "product", { before: { name: "Dock", slug: "dock" } }), "deleted the product Dock"],
  [
    rowOf("text.publish", "text", { subjectName: "Order shipped", after: { version: 2 } }),
    "published version 2 of the text “Order shipped”",
  ],
  [
    rowOf("order.ship", "order", { shipOutcome: "refused" }),
    "tried to ship order c52aee86, whose charge the bank refused",
  ],
  [rowOf("order.ship", "order", { shipOutcome: null }), "shipped order c52aee86"],
  [rowOf("waitlist.invite", "", { after: { invited: 1 } }), "invited 1 person from the waitlist"],
  [rowOf("waitlist.invite", "", { after: { invited: 1200 } }), "invited 1,200 people from the waitlist"],
  [
    rowOf("product.edit", "product", { subjectName: "Dock", before: { shipsFrom: null }, after: { shipsFrom: "x" } }),
    "changed ship date of Dock",
  ],
  [rowOf("session.begin", ""), "signed in"],
  [rowOf("order.teleport", "order"), "order.teleport order c52aee86"],
])("%o reads %s", (row, words) => expect(inWords(row)).toBe(words));

it("links what still exists", () => {
  const hrefOf = (kind: string, subjectName: string | null) => subjectOf(rowOf("", kind, { subjectName }))?.href;
  expect(hrefOf("order", null)).toBe(`/admin/orders/${ID}`);
  expect(hrefOf("product", "Dock")).toBe(`/admin/products/${ID}`);
  expect(hrefOf("product", null)).toBeUndefined();
  expect(hrefOf("batch", null)).toBeUndefined();
});

it("compares the values before and after", () => {
  const row = rowOf("", "", {
    before: { priceCents: 100, isAvailable: false, publishAt: null, shipsFrom: "2026-10-01", slug: "berry-rack" },
    after: {
      priceCents: 200,
      isAvailable: true,
      publishAt: "2026-11-28T14:00:00.000Z",
      shipsFrom: "2027-01-31",
      slug: "rack",
    },
  });
  expect(detailsOf(row)).toEqual([
    { name: "price", before: "$1.00", after: "$2.00" },
    { name: "is available", before: "no", after: "yes" },
    { name: "publish at", before: "none", after: "Nov 28, 2026, 9:00 AM" },
    { name: "ship date", before: "Oct 1, 2026", after: "Jan 31, 2027" },
    { name: "URL handle", before: "berry-rack", after: "rack" },
  ]);
});
