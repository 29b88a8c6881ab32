/** What may be done to an order from the command line: each act by the function that the shop itself has for it. */
import { shopDay } from "../../shop/fulfillment/days.ts";
import { openOrder, type DeskOrder } from "../../shop/fulfillment/desk.server.ts";
import { cancelByStaff, declineByStaff } from "../../shop/fulfillment/end-order.server.ts";
import {
  askForPayment,
  cancelLine,
  delayOrder,
  markDelivered,
  refundOrder,
} from "../../shop/fulfillment/fulfill.server.ts";
import { DECLINE_REASONS, isReason, LINE_REASONS, REFUND_REASONS } from "../../shop/fulfillment/reasons.ts";
import { shipOrder } from "../../shop/fulfillment/ship.server.ts";
import { CARRIER_CODES, CARRIERS, type CarrierCode } from "../../shop/fulfillment/shipment.ts";
import { formatMoney } from "../../shop/money.ts";
import type { OrderEvent } from "../../shop/orders/lifecycle.ts";
import { orderNumber } from "../../shop/orders/order.ts";
import type { Desk } from "./command.ts";
import { accepted, Refusal } from "./refusal.ts";
import { show } from "./show.ts";

/** What was given, by name; a flag that was given is "yes". */
export type Options = Record<string, string | undefined>;

export type Act = {
  /** Its options, as they are written. */
  usage: string;
  does: string;
  /** What it writes into the order's story. */
  events: OrderEvent[];
  options: Record<string, "text" | "flag">;
  needs: string[];
  run(desk: Desk, orderId: string, options: Options): Promise<string>;
};

const UNDER_WAY = "A parcel of it waits for its money. Wait for the provider's answer, then try again.";

const words = (list: object) => Object.keys(list).join(", ");
const reasonOf = <List extends object>(list: List, word: string) => {
  if (isReason(list, word)) return word;
  throw new Refusal(`'${word}' is no reason here. Take one of ${words(list)}.`);
};

async function opened({ db }: Desk, orderId: string): Promise<DeskOrder> {
  const found = await openOrder(db, orderId);
  if (!found) throw new Refusal("There is no such order any more.");
  return found;
}

/** A line by its place in what `show` says. */
function lineAt({ lines }: DeskOrder, place: string) {
  const line = lines[Number(place) - 1];
  if (!line) throw new Refusal(`The order has no line ${place}: it has ${lines.length}, as \`show\` lists them.`);
  return line;
}

const whole = (text: string, what: string): number => {
  if (!/^\d+$/.test(text)) throw new Refusal(`${what} must be a whole number, not '${text}'.`);
  return Number(text);
};

function carrierOf(word: string): CarrierCode {
  const carrier = CARRIER_CODES.find((code) => code === word.toLowerCase());
  if (!carrier) throw new Refusal(`'${word}' is no carrier of ours. Take one of ${CARRIER_CODES.join(", ")}.`);
  return carrier;
}

const ship: Act = {
  usage: "--carrier CARRIER --tracking NUMBER [--units LINE=UNITS,LINE=UNITS]",
  does: `charges the payment and records a parcel with what is left of the order, or with the units named; carriers are ${CARRIER_CODES.join(", ")}`,
  events: ["shipped", "parcel-shipped", "capture-failed"],
  options: { carrier: "text", tracking: "text", units: "text" },
  needs: ["carrier", "tracking"],
  async run(desk, orderId, { carrier: code, tracking, units: named }) {
    const carrier = carrierOf(code!);
    const order = await opened(desk, orderId);
    const units = named?.split(",").map((each) => {
      const [place = "", count = ""] = each.split("=");
      return [lineAt(order, place).id, whole(count, "The units of a line")] as const;
    });
    const parcel = { carrier, trackingNumber: tracking!, ...(units && { units: Object.fromEntries(units) }) };
    const result = await shipOrder(desk.db, desk.provider, orderId, parcel, null);
    const done = accepted(result, "shipped", {
      "tracking-number": `That is no tracking number of ${CARRIERS[carrier].name}. One looks like ${CARRIERS[carrier].example}.`,
      "on-hold": "It is on hold. Take it off hold in the back office first.",
      "under-way": UNDER_WAY,
      "nothing-left": "Nothing of it is left to ship.",
      "not-paid":
        "Its payment cannot be charged, so it must not ship. Its customer pays anew by the link of `ask-payment`.",
      "capture-failed": "The bank refused the charge, so it must not ship. Its customer has the link to pay again.",
      units: "unitsLeft" in result ? `Of ${result.name} only ${result.unitsLeft} are left to ship.` : "",
    });
    if (done.state === "waiting")
      return "The provider has not answered yet. Ship once `show` says that the parcel has shipped.";
    return done.repeated
      ? "This parcel was recorded before."
      : "The parcel is recorded, and its customer has the tracking number.";
  },
};

const deliver: Act = {
  usage: "[--rest-given-up]",
  does: "records that all has arrived, from which the time for returns counts; with --rest-given-up though not all was sent",
  events: ["delivered"],
  options: { "rest-given-up": "flag" },
  needs: [],
  async run({ db }, orderId, options) {
    const result = await markDelivered(db, orderId, { restGivenUp: Boolean(options["rest-given-up"]) }, null);
    const { repeated } = accepted(result, "delivered", {
      "units-left": "Not all of it was sent. Ship the rest, or say --rest-given-up and refund it.",
    });
    return repeated
      ? "It was delivered before."
      : "It is delivered, and its customer is told until when it may be returned.";
  },
};

const LATE = "A parcel of it has shipped or waits for its money, so it cannot end any more. Refund it instead.";

const cancel: Act = {
  usage: "",
  does: "cancels an order of which nothing has shipped: stock returns, and what was paid is given back",
  events: ["canceled"],
  options: {},
  needs: [],
  async run({ db }, orderId) {
    const result = await cancelByStaff(db, orderId, null);
    if (!result.ok)
      throw new Refusal(
        result.reason === "too-late" ? `The order is ${result.status}. ${LATE}` : "There is no such order.",
      );
    return result.repeated ? "It was canceled before." : "It is canceled, and its customer is told.";
  },
};

const decline: Act = {
  usage: "--reason REASON",
  does: `does not accept the order: stock returns, nothing is charged; reasons are ${words(DECLINE_REASONS)}`,
  events: ["declined"],
  options: { reason: "text" },
  needs: ["reason"],
  async run({ db }, orderId, { reason }) {
    const result = await declineByStaff(db, orderId, reasonOf(DECLINE_REASONS, reason!), null);
    if (!result.ok)
      throw new Refusal(
        result.reason === "too-late"
          ? `The order is ${result.status}, so it cannot be declined.`
          : "There is no such order.",
      );
    return result.repeated ? "It was declined before." : "It is declined, and its customer is told why.";
  },
};

const delay: Act = {
  usage: "--until YYYY-MM-DD",
  does: "promises a later day, and asks the customer whether to keep or to cancel the order",
  events: ["delayed"],
  options: { until: "text" },
  needs: ["until"],
  async run({ db }, orderId, { until }) {
    const { repeated } = accepted(await delayOrder(db, orderId, until!, null), "delayed", {
      day: `--until must be a day after ${shopDay(new Date())} and after the one promised before, as 2030-01-31.`,
      "under-way": UNDER_WAY,
    });
    return repeated
      ? "That day was promised before."
      : "It is promised for that day, and its customer is asked to keep or to cancel it.";
  },
};

const cancelOneLine: Act = {
  usage: "--line LINE --reason REASON [--keep UNITS] [--write-off]",
  does: `cancels a line, or all of it but UNITS, of an order of which nothing has shipped; its units can be sold again unless --write-off; reasons are ${words(LINE_REASONS)}`,
  events: ["line-canceled"],
  options: {
    line: "text",
    reason: "text",
    keep: "text",
    "write-off": "flag",
  },
  needs: ["line", "reason"],
  async run(desk, orderId, { line, reason, keep = "0", ...options }) {
    const order = await opened(desk, orderId);
    const { id: itemId, name } = lineAt(order, line!);
    const change = {
      itemId,
      keep: whole(keep, "--keep"),
      returnsStock: !options["write-off"],
      reason: reasonOf(LINE_REASONS, reason!),
    };
    const { repeated } = accepted(await cancelLine(desk.db, orderId, change, null), "changed", {
      units: `It does not have that many units of ${name}.`,
      "last-line": "Nothing would be left of it. Cancel or decline the order instead.",
      "under-way": UNDER_WAY,
    });
    const { charged } = await opened(desk, orderId);
    const now = `The order now comes to ${formatMoney(charged.totalCents)}`;
    return repeated ? `That was canceled before. ${now}.` : `${now}, and its customer is told.`;
  },
};

const refund: Act = {
  usage: "--amount DOLLARS --reason REASON",
  does: `gives back a part of what was charged, whatever became of the order; reasons are ${words(REFUND_REASONS)}`,
  events: ["refunded", "refund-failed"],
  options: { amount: "text", reason: "text" },
  needs: ["amount", "reason"],
  async run({ db, provider }, orderId, { amount, reason }) {
    if (!/^\d{1,6}(\.\d\d)?$/.test(amount!))
      throw new Refusal(`--amount must be dollars, as 24 or 24.50, not '${amount}'.`);
    const cents = Math.round(Number(amount) * 100);
    const result = await refundOrder(db, provider, orderId, { cents, reason: reasonOf(REFUND_REASONS, reason!) }, null);
    const left = "leftCents" in result ? formatMoney(result.leftCents) : "";
    const { state } = accepted(result, "refunded", {
      amount: "The amount must be more than nothing.",
      "nothing-paid": "Nothing was charged for it.",
      "too-much": `Only ${left} of it is left to refund.`,
      "under-way": `Another refund is under way, after which ${left} is left.`,
      meanwhile: "Another refund was asked for meanwhile.",
      disputed: "Its customer disputes the payment with the bank: nothing is refunded until that is decided.",
    });
    if (state === "failed") throw new Refusal("The provider refused the refund. Nothing was given back.");
    return state === "done"
      ? `${formatMoney(cents)} is refunded, and the customer is told.`
      : `The refund of ${formatMoney(cents)} is under way. The customer is told once it is done.`;
  },
};

const askPayment: Act = {
  usage: "",
  does: "mails the link to pay an order that has not been paid",
  events: ["payment-requested"],
  options: {},
  needs: [],
  async run({ db, provider }, orderId) {
    accepted(await askForPayment(db, provider, orderId, null), "asked to be paid", {
      paid: "It is paid: the money is reserved or charged.",
      provider: "The shop takes no payments. Set PAYMENTS first.",
      "under-way": UNDER_WAY,
    });
    return `The customer of ${orderNumber(orderId)} has the link to pay.`;
  },
};

export const acts = {
  show: {
    usage: "",
    does: "shows the order: lines, amounts, payments, parcels and all that happened to it",
    events: [],
    options: {},
    needs: [],
    run: async (desk, orderId) => show(await opened(desk, orderId)),
  },
  ship,
  deliver,
  cancel,
  decline,
  delay,
  "cancel-line": cancelOneLine,
  refund,
  "ask-payment": askPayment,
} satisfies Record<string, Act>;
