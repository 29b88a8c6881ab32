import { expect, it } from "vitest";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { lineWords, orderDays } from "./order-days.ts";

const NOW = new Date("2026-11-28T17:00:00Z");
const UNKNOWN = "We’ll tell you the day as soon as we know it";

const order = {
  stage: "to-ship",
  paymentStatus: "authorized",
  totalCents: 99_00,
  shippingMethod: "standard",
  shipBy: "2026-12-01",
  isMoved: false,
  onHoldSince: null,
} as const;
const named = (shipBy: string) => ({ shipBy });
const moved = (shipBy: string | null) => ({ shipBy, isMoved: true });

it.each([
  ["in stock", {}, [null], "By Dec 1", "Dec 4–8"],
  ["of the last day to ship by", { shipBy: "2026-11-28" }, [null], "By Nov 28", "Dec 3–7"],
  ["express", { shippingMethod: "express", shipBy: "2026-11-30" }, [null], "By Nov 30", "Dec 1–2"],
  ["a pre-order", named("2027-01-20"), ["2027-01-20"], "On Jan 20, 2027", "Jan 27–29"],
  ["mixed", named("2027-01-20"), [null, "2026-12-15", "2027-01-20"], "By Jan 20, 2027", "Jan 27–29"],
  ["a pre-order of the day that its method has", named("2026-12-01"), ["2026-12-01"], "On Dec 1", "Dec 8–10"],
  ["a delayed pre-order", moved("2027-02-01"), ["2027-01-20"], "By Feb 1, 2027", "Feb 8–10"],
  ["delayed", moved("2026-12-15"), [null], "By Dec 15", "Dec 22–24"],
  ["of an unknown day", moved(null), [null], UNKNOWN, null],
  ["late", { shipBy: "2026-11-27" }, [null], "Late. We planned to ship it by Nov 27", null],
  ["without a payment", { paymentStatus: "none" }, [null], "Once it’s paid", null],
  ["on hold for another reason", { onHoldSince: NOW }, [null], "By Dec 1", "Dec 4–8"],
  ["of a refused card", { paymentStatus: "failed" }, [null], "Once it’s paid", null],
  ["free", { paymentStatus: "none", totalCents: 0 }, [null], "By Dec 1", "Dec 4–8"],
  ["of the checkout's page", { stage: "unpaid", paymentStatus: "unpaid" }, [null], "By Dec 1", "Dec 4–8"],
] as const)("an order %s ships and arrives", (_name, rest, lines, ships, arrives) => {
  const shown = orderDays(
    { ...order, ...rest },
    lines.map((shipsFrom) => ({ shipsFrom })),
    FIRST_SETTINGS.shipping,
    NOW,
  );
  expect(shown).toEqual({ ships, arrives });
});

it.each<[string, object, string, string | null, number?]>([
  ["as ordered", named("2027-01-20"), "Pre-order, ships December 15", "Pre-order, ships January 20, 2027"],
  ["delayed", moved("2027-02-01"), "Pre-order, ships December 15", "Pre-order, ships by February 1, 2027"],
  ["of an unknown day", moved(null), "Pre-order, ships December 15", "Pre-order, ship date not known yet"],
  ["of which the last has left", moved("2027-02-01"), "Pre-order, ships by February 1, 2027", null, 2],
  [
    "sent again, in days of its own",
    named("2027-02-01"),
    "Pre-order, ships December 15",
    "Pre-order, ships January 20, 2027",
  ],
])("lines %s: in stock, earlier and last", (_name, rest, earlier, last, left = 3) => {
  const lines = [null, "2026-12-15", "2027-01-20"].map((shipsFrom) => ({ shipsFrom }));
  const waiting = lines.slice(0, left);
  expect(lines.map((line) => lineWords(line, waiting, { ...order, ...rest }, NOW))).toEqual([null, earlier, last]);
});
