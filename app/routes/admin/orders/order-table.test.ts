import { expect, it } from "vitest";
import { flagsOf, statusWordsOf } from "./order-table.tsx";

const order = {
  status: "processing",
  paymentStatus: "authorized",
  totalCents: 19_00,
  onHoldSince: null,
  restToShip: false,
  captureBefore: null,
  shipBy: "2026-11-26",
  promisedOn: "2026-12-24",
  shippingMethod: "standard",
  methodName: "Standard Shipping",
  delayAnswerBy: null,
} as const;
const NOON = new Date("2026-11-26T17:00:00Z");

it.each([
  ["a day ahead", { shipBy: "2026-11-27" }, []],
  ["promised for seven days ahead", { shipBy: "2026-12-03", promisedOn: "2026-12-03" }, ["Ship by Dec 3"]],
  ["promised for eight days ahead", { shipBy: "2026-12-04", promisedOn: "2026-12-04" }, []],
  ["on the day to ship by", {}, ["Ship today"]],
  ["on that day without its payment", { paymentStatus: "failed" }, ["Payment issue"]],
  ["on hold that day", { onHoldSince: NOON }, ["On hold"]],
  ["two days later", { shipBy: "2026-11-24" }, ["2 days late"]],
  ["shipped in part", { status: "shipped", restToShip: true, shipBy: "2026-11-25" }, ["1 day late"]],
  ["shipped by express", { status: "shipped", shippingMethod: "express" }, []],
  ["overnight", { shippingMethod: "overnight", methodName: "Courier Shipping" }, ["Ship today", "Courier"]],
  [
    "as its payment expires",
    { shipBy: "2026-11-30", captureBefore: new Date("2026-11-28T03:00:00Z") },
    ["Payment expires Nov 27"],
  ],
] as const)("an order %s has the flags %s", (_name, more, flags) => {
  expect(flagsOf({ ...order, ...more }, NOON).map(({ word }) => word)).toEqual(flags);
});

it.each([
  ["Shipped", { restToShip: false }],
  ["Partially shipped", { restToShip: true }],
  ["Lost", { restToShip: true, astray: "lost" }],
  ["Refused, coming back", { restToShip: false, astray: "refused" }],
  ["Refused, back with you", { restToShip: false, astray: "returned" }],
] as const)("the list says %s", (word, more) => {
  expect(statusWordsOf({ status: "shipped", ...more }).word).toBe(word);
});
