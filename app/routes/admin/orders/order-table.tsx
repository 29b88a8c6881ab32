/** Table of orders, with the labels and tones of their statuses. */
import type { ReactNode } from "react";
import { CAPTURE_HOURS, mustArrange, WEEK_DAYS } from "#shop/fulfillment/views.ts";
import type { ListedOrder } from "#shop/fulfillment/order-list.server.ts";
import { CARRIERS } from "#shop/fulfillment/shipment.ts";
import {
  ASTRAY,
  firstOf,
  PAYMENT_PROBLEMS,
  statusOf,
  type Attention,
  type OrderStatus,
  type PaymentStatus,
  type Stage,
} from "#shop/orders/lifecycle.ts";
import { formatMoney } from "#shop/money.ts";
import { isUnsent } from "#shop/orders/order.ts";
import { daysBetween, newYorkDay } from "#shop/new-york-time.ts";
import { fastMethod, shortName, type ShippingMethod } from "#shop/shipping/methods.ts";
import { withUnit } from "#shop/units.ts";
import type { Option } from "#app/ui/admin/field.tsx";
import { Status, type Tone } from "#app/ui/admin/page-head.tsx";
import { AdminTable, type Column, type Group } from "#app/ui/admin/table.tsx";
import { dayWords, When } from "#app/ui/admin/when.tsx";
import type { OrderRow } from "./load.server.ts";

export const CARRIER_OPTIONS: Option[] = [
  ["", "Detect automatically"],
  ...Object.entries(CARRIERS).map(([code, { name }]) => [code, name] as const),
];

type Words = { word: string; tone: Tone };

export const STATUS_WORDS: Record<OrderStatus, Words> = {
  unpaid: { word: "Unpaid", tone: "quiet" },
  processing: { word: "Processing", tone: "open" },
  shipped: { word: "Shipped", tone: "done" },
  delivered: { word: "Delivered", tone: "done" },
  canceled: { word: "Canceled", tone: "quiet" },
  declined: { word: "Declined", tone: "quiet" },
  expired: { word: "Expired", tone: "quiet" },
};

const STAGE_WORDS: Partial<Record<Stage, Words>> = { "partly-shipped": { word: "Partially shipped", tone: "soon" } };

export const PAYMENT_WORDS: Record<PaymentStatus, Words> = {
  none: { word: "No payment", tone: "quiet" },
  unpaid: { word: "Unpaid", tone: "quiet" },
  "card-saved": { word: "Card saved", tone: "open" },
  authorized: { word: "Authorized", tone: "open" },
  "partly-charged": { word: "Partly charged", tone: "open" },
  captured: { word: "Paid", tone: "done" },
  "partly-refunded": { word: "Partially refunded", tone: "quiet" },
  refunded: { word: "Refunded", tone: "quiet" },
  failed: { word: "Failed", tone: "late" },
  "refund-failed": { word: "Refund failed", tone: "late" },
  mismatch: { word: "Wrong amount", tone: "late" },
  disputed: { word: "Disputed", tone: "late" },
  "dispute-lost": { word: "Dispute lost", tone: "late" },
};

/** An order at no charge has no payment. */
export const paymentWordsOf = (order: { paymentStatus: PaymentStatus; totalCents: number }): Words =>
  order.totalCents === 0 ? { word: "No charge", tone: "quiet" } : PAYMENT_WORDS[order.paymentStatus];

type Flagged = {
  stage: Stage;
  attention: readonly Attention[];
  onHoldSince: Date | null;
  captureBefore: Date | null;
  shipBy: string | null;
  shippingMethod: ShippingMethod;
  methodName: string;
  answerBy: string | null;
};

const ASTRAY_WORDS: Record<(typeof ASTRAY)[number], Words> = {
  "parcel-lost": { word: "Lost", tone: "late" },
  "parcel-refused": { word: "Refused, coming back", tone: "late" },
  "parcel-returned": { word: "Refused, back with you", tone: "late" },
};

const ISSUE: Words = { word: "Payment issue", tone: "late" };
const PROBLEM_WORDS: Record<(typeof PAYMENT_PROBLEMS)[number], Words> = {
  disputed: PAYMENT_WORDS.disputed,
  mismatch: ISSUE,
  "refund-failed": PAYMENT_WORDS["refund-failed"],
  "card-refused": ISSUE,
  "pay-again": ISSUE,
  "to-cancel": { word: "Refunded, to cancel", tone: "late" },
};

type Sent = { stage: Stage; attention: readonly Attention[] };

/** The method of an order that is to leave before others. */
export const fastWord = (order: Flagged): string | null =>
  isUnsent(order) ? fastMethod(order.shippingMethod, order.methodName) : null;

export function statusWordsOf(order: Sent): Words {
  const astray = firstOf(order, ASTRAY);
  return astray ? ASTRAY_WORDS[astray] : (STAGE_WORDS[order.stage] ?? STATUS_WORDS[statusOf(order.stage)]);
}

/** Without its year: the days of flags are near. */
const flagDay = (day: string) => dayWords(day, { month: "short", day: "numeric" });

const daysLeftOf = (shipBy: string, now: Date) => daysBetween(newYorkDay(now), shipBy);
const UNKNOWN: Words = { word: "New date not known", tone: "late" };

type ShipBy = Words & { method: string };

/** The day to ship of an unshipped order, and its method. */
export function shipByOf(order: Flagged, now: Date): ShipBy | null {
  if (!isUnsent(order)) return null;
  const { shipBy } = order;
  const method = shortName(order.methodName);
  if (shipBy === null) return { ...UNKNOWN, method };
  const daysLeft = daysLeftOf(shipBy, now);
  const day = dayWords(shipBy, { weekday: "short", month: "short", day: "numeric" });
  const late = `${flagDay(shipBy)}, ${withUnit(-daysLeft, "day")} late`;
  return {
    word: daysLeft < 0 ? late : daysLeft === 0 ? "Today" : daysLeft === 1 ? "Tomorrow" : day,
    tone: daysLeft <= 0 ? "late" : daysLeft === 1 ? "soon" : "open",
    method,
  };
}

/** Flag of the day to ship, where no column has it. */
function dayFlag(order: Flagged, now: Date): Words | null {
  const { shipBy } = order;
  if (!isUnsent(order)) return null;
  if (shipBy === null) return UNKNOWN;
  const daysLeft = daysLeftOf(shipBy, now);
  if (daysLeft < 0) return { word: `${withUnit(-daysLeft, "day")} late`, tone: "late" };
  if (order.onHoldSince || firstOf(order, ["card-refused", "pay-again", "to-cancel"])) return null;
  if (daysLeft === 0) return { word: "Ship today", tone: "late" };
  if (daysLeft >= WEEK_DAYS) return null;
  return { word: `Ship by ${flagDay(shipBy)}`, tone: daysLeft === 1 ? "soon" : "open" };
}

type Content = ListedOrder["contents"][number];

export const lineWords = ({ name, units, waitsFor }: Content): string =>
  `${units} × ${name}${waitsFor ? ` (ships ${flagDay(waitsFor)})` : ""}`;

/** Words for an order of which all or part is pre-ordered, before its day. */
export function waitFlags(contents: readonly Content[]): Words[] {
  const days = contents.flatMap(({ waitsFor }) => waitsFor ?? []);
  const [first] = days.toSorted();
  if (first === undefined) return [];
  const what = days.length === contents.length ? "Pre-order" : "Part pre-order";
  return [{ word: `${what}, ${flagDay(first)}`, tone: "soon" }];
}

/** Flags are sorted by urgency. `hasDay`: day to ship and method stand in a column. */
export function flagsOf(order: Flagged, now: Date, { hasDay = false } = {}): Words[] {
  const flags: Words[] = [];
  const hoursLeft = order.captureBefore ? (order.captureBefore.getTime() - now.getTime()) / 3_600_000 : Infinity;
  const problems = PAYMENT_PROBLEMS.filter((each) => order.attention.includes(each));
  flags.push(...new Set(problems.map((each) => PROBLEM_WORDS[each])));
  if (mustArrange(order)) flags.push({ word: "Arrange payment", tone: "soon" });
  const day = hasDay ? null : dayFlag(order, now);
  if (day) flags.push(day);
  if (order.captureBefore && isUnsent(order) && hoursLeft < CAPTURE_HOURS)
    flags.push({ word: `Payment expires ${flagDay(newYorkDay(order.captureBefore))}`, tone: "soon" });
  const fast = fastWord(order);
  if (fast && !hasDay) flags.push({ word: fast, tone: "soon" });
  if (isUnsent(order) && order.answerBy) flags.push({ word: `Answer due ${flagDay(order.answerBy)}`, tone: "soon" });
  if (isUnsent(order) && order.onHoldSince) flags.push({ word: "On hold", tone: "soon" });
  return flags;
}

type OrderTableProps = {
  label: string;
  rows: OrderRow[];
  sums: boolean;
  /** Actions on selected orders. */
  bar?: ReactNode;
  /** Filters of the list, in which an order's page finds the previous and the next one. */
  query?: string;
  /** A column of days to ship, instead of the days on which the orders were placed. */
  isByDay?: boolean;
  groups?: Group<OrderRow>[];
  empty: string;
};

type Shape = { sums: boolean; query: string; isByDay: boolean };

const columns = ({ sums, query, isByDay }: Shape): (Column<OrderRow> | false)[] => [
  {
    header: "Order",
    cell: ({ number }) => number,
    href: ({ id }) => `/admin/orders/${id}${query && `?${query}`}`,
    className: "tabular-nums",
    phone: "inline",
  },
  isByDay
    ? { header: "Ship by", cell: ShipByCell, phone: "inline", className: "max-sm:basis-3/5" }
    : {
        header: "Date",
        cell: ({ createdAt }) => <When at={createdAt} />,
        phone: "inline",
        className: "max-sm:basis-3/5",
      },
  {
    header: "Customer",
    className: "sm:min-w-36",
    phone: "inline",
    cell: ({ name, city }) => (
      <>
        <span>{name}</span>
        <span className="text-ink-soft">{`, ${city}`}</span>
      </>
    ),
  },
  { header: "Qty", cell: ({ units }) => units, isNumber: true, phone: "hidden", at: "narrow" },
  {
    header: "Items",
    cell: ({ what }) => what,
    className: "w-full max-sm:order-1",
    at: "wide",
  },
  sums && { header: "Total", cell: Total, isNumber: true, phone: "inline", className: "max-sm:ml-auto" },
  sums && {
    header: "Payment",
    cell: ({ payment }) => payment && <Status tone={payment.tone}>{payment.word}</Status>,
    phone: "hidden",
    at: "wide",
  },
  {
    header: "Status",
    className: `max-sm:order-2 ${isByDay ? "" : "xl:min-w-64"}`,
    phone: "inline",
    cell: ({ status, flags, otherFlags }) => (
      <span className="inline-flex flex-wrap gap-x-3">
        {(isByDay ? withoutPlain([status, ...otherFlags]) : [status, ...flags]).map(({ word, tone }) => (
          <Status key={word} tone={tone}>
            {word}
          </Status>
        ))}
      </span>
    ),
  },
];

/** "Processing" says nothing of an order that is to ship once something else is said. */
const withoutPlain = (words: Words[]) =>
  words.length > 1 ? words.filter(({ word }) => word !== STATUS_WORDS.processing.word) : words;

function ShipByCell({ shipBy }: OrderRow) {
  if (!shipBy) return null;
  return (
    <span className="inline-flex flex-wrap gap-x-1.5">
      <Status tone={shipBy.tone}>{shipBy.word}</Status>
      <span className="text-ink-soft">{shipBy.method}</span>
    </span>
  );
}

/** Without room for a column of its own the payment stands below the total. */
function Total({ totalCents = 0, payment }: OrderRow) {
  if (!payment) return null;
  return (
    <>
      <span className="inline-flex flex-wrap justify-end gap-x-3 xl:hidden">
        <span>{formatMoney(totalCents)}</span>
        <Status tone={payment.tone}>{payment.word}</Status>
      </span>
      <span className="max-xl:hidden">{formatMoney(totalCents)}</span>
    </>
  );
}

export function OrderTable({ label, rows, sums, bar, query = "", isByDay = false, groups, empty }: OrderTableProps) {
  return (
    <AdminTable
      label={label}
      columns={columns({ sums, query, isByDay })}
      rows={rows}
      groups={groups}
      rowKey={({ id }) => id}
      selection={bar ? { name: "id", label: ({ number }) => `Select ${number}`, bar } : undefined}
      empty={empty}
    />
  );
}
