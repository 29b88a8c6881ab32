import { expect, it } from "vitest";
import { flagsOf, shipByOf, statusWordsOf, waitFlags } from "./order-table.tsx";

const order = {
  stage: "to-ship",
  attention: [],
  onHoldSince: null,
  captureBefore: null,
  shipBy: "2026-11-26",
  shippingMethod: "standard",
  methodName: "Standard Shipping",
  answerBy: null,
} as const;
const NOON = new Date("2026-11-26T17:00:00Z");

it.each([
  ["a day ahead", { shipBy: "2026-11-27" }, ["Ship by Nov 27"]],
  ["six days ahead", { shipBy: "2026-12-02" }, ["Ship by Dec 2"]],
  ["a week ahead", { shipBy: "2026-12-03" }, []],
  ["of an unknown day", { shipBy: null }, ["New date not known"]],
  ["on the day to ship by", {}, ["Ship today"]],
  ["on that day without its payment", { attention: ["card-refused"] }, ["Payment issue"]],
  [
    "disputed, and to be paid again",
    { attention: ["disputed", "mismatch", "pay-again"] },
    ["Disputed", "Payment issue"],
  ],
  ["not paid yet", { attention: ["arrange"] }, ["Arrange payment", "Ship today"]],
  ["on hold that day", { onHoldSince: NOON }, ["On hold"]],
  ["two days later", { shipBy: "2026-11-24" }, ["2 days late"]],
  ["shipped in part", { stage: "partly-shipped", shipBy: "2026-11-25" }, ["1 day late"]],
  ["shipped by express", { stage: "shipped", shippingMethod: "express" }, []],
  ["overnight", { shippingMethod: "overnight", methodName: "Courier Shipping" }, ["Ship today", "Courier"]],
  [
    "as its payment expires",
    { shipBy: "2026-11-30", captureBefore: new Date("2026-11-28T03:00:00Z") },
    ["Ship by Nov 30", "Payment expires Nov 27"],
  ],
] as const)("an order %s has the flags %s", (_name, more, flags) => {
  expect(flagsOf({ ...order, ...more }, NOON).map(({ word }) => word)).toEqual(flags);
});

it.each([
  ["2026-11-24", { word: "Nov 24, 2 days late", tone: "late" }],
  ["2026-11-26", { word: "Today", tone: "late" }],
  ["2026-11-27", { word: "Tomorrow", tone: "soon" }],
  ["2026-12-01", { word: "Tue, Dec 1", tone: "open" }],
  [null, { word: "New date not known", tone: "late" }],
])("a row to ship by %s says so, and how", (shipBy, words) => {
  expect(shipByOf({ ...order, shipBy }, NOON)).toEqual({ ...words, method: "Standard" });
  expect(flagsOf({ ...order, shipBy }, NOON, { hasDay: true })).toEqual([]);
});

it.each([
  [[null, null], []],
  [["2026-12-20", null], ["Part pre-order, Dec 20"]],
  [["2027-01-12", "2026-12-20"], ["Pre-order, Dec 20"]],
])("lines that wait for %j have the flags %j", (days, flags) => {
  const contents = days.map((waitsFor) => ({ name: "Bowl", units: 1, waitsFor }));
  expect(waitFlags(contents).map(({ word }) => word)).toEqual(flags);
});

it.each([
  ["Shipped", { stage: "shipped" }],
  ["Partially shipped", { stage: "partly-shipped" }],
  ["Lost", { stage: "partly-shipped", attention: ["refund-owed", "parcel-lost"] }],
  ["Refused, coming back", { stage: "shipped", attention: ["parcel-refused"] }],
  ["Refused, back with you", { stage: "shipped", attention: ["parcel-returned"] }],
] as const)("the list says %s", (word, more) => {
  expect(statusWordsOf({ attention: [], ...more }).word).toBe(word);
});
