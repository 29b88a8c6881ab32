/** The money of an order: what was charged, paid and given back, and what is left of it. */
import { paymentPolicy } from "#shop/policies.ts";
import type { Charge, ChargeItem, Facts, MoneyItem, Payment, Refund, RefundItem } from "./facts.ts";
import type { OrderState } from "./state.ts";
import { carriedBy } from "./unit-history.ts";

/** A charge with the items that are not released; `dueCents` of it are not paid by what units carry over. */
export type ChargeStanding = Charge & {
  items: ChargeItem[];
  cents: number;
  taxCents: number;
  dueCents: number;
  /** Its money is on its way: it cannot change meanwhile. */
  isUnderWay: boolean;
};

export type RefundStanding = Refund & {
  items: RefundItem[];
  cents: number;
  taxCents: number;
  /** The part that moves, and of it what the provider has given back, or is about to. */
  movingCents: number;
  doneCents: number;
  underWayCents: number;
  /** Promised, and neither given back nor under way. */
  owedCents: number;
};

/** Part of a refund that one payment gives back: through its provider, or sent by staff, whom its buyer paid. */
export type Way = { paymentId: string; isByHand: boolean; cents: number };

/** How cents would be given back. What neither can, such as after a lost dispute, is given back in another way. */
export type Ways = { ways: Way[]; atProviderCents: number; byHandCents: number };

/** A refund, and how what is owed of it would be given back. */
export type OwedRefund = RefundStanding &
  Ways & {
    /** Its provider, or the bank, refused what is owed. */
    hasFailed: boolean;
  };

/** A service of a return: its fee, or a repair. */
export type Service = { returnId: string; kind: "fee" | "repair"; leftCents: number };

export type Money = {
  /** Charged and paid, and the part of it that is neither refunded nor promised back. */
  paidCents: number;
  leftCents: number;
  leftTaxCents: number;
  /** The part of it that was not for services. */
  leftForGoodsCents: number;
  /** Services that are paid, and not given back. */
  services: Service[];
  /** One is open; a lost one is a refund that the bank made. */
  isDisputed: boolean;
  isMismatched: boolean;
  /** Each charge is made on a kept card, and announced before. */
  isByCard: boolean;
  /** The latest kept card; `isRefused` if its bank refused it and nothing replaces it. */
  card: Payment | null;
  isRefused: boolean;
  /** What payments can give back beside what is owed, the oldest first. */
  refundable: Way[];
  /** Authorized for the order, neither captured nor being voided; one for a charge by a link pays that alone. */
  authorized: Payment | null;
  /** Money or a card was ever held for the order: what is due is paid again. A page that nobody paid holds nothing. */
  wasHeld: boolean;
};

export const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);
export const centsOf = (items: readonly Pick<MoneyItem, "cents">[]): number => sum(items, ({ cents }) => cents);
export const taxOf = (items: readonly Pick<MoneyItem, "taxCents">[]): number => sum(items, ({ taxCents }) => taxCents);

/** A page for one charge of the order, such as the difference of an exchange; it pays nothing else. */
export const isLink = ({
  kind,
  chargeId,
  provider,
}: Pick<Payment, "kind" | "chargeId"> & { provider: string }): boolean =>
  kind === "page" && chargeId !== null && provider !== "manual";

/** Part of a difference that a buyer is asked to pay. One that is too small for a payment provider is the shop's. */
export const askedCents = (cents: number): number => (cents < paymentPolicy.smallestChargeCents ? 0 : cents);

const NOT_HELD: readonly Payment["state"][] = ["opening", "open", "closed"];

/** It gives back goods or their shipping, or an amount of their price. */
export const isOfGoods = ({ kind }: MoneyItem): boolean =>
  kind === "unit" || kind === "shipping" || kind === "goodwill";
export const isService = ({ kind }: MoneyItem): boolean => kind === "fee" || kind === "repair";
const negative = (item: MoneyItem): MoneyItem => ({ ...item, cents: -item.cents });

export function chargeStanding(facts: Facts, charge: Charge): ChargeStanding {
  const items = facts.chargeItems.filter(({ chargeId, releasedAt }) => chargeId === charge.id && releasedAt === null);
  const cents = centsOf(items);
  const carried = sum(items, ({ unit }) => (unit === null ? 0 : carriedBy(facts, unit)));
  const isUnderWay = facts.attempts.some(
    ({ chargeId, state }) => chargeId === charge.id && (state === "asked" || state === "sent"),
  );
  return { ...charge, items, cents, taxCents: taxOf(items), dueCents: Math.max(0, cents - carried), isUnderWay };
}

function refundStanding(facts: Facts, refund: Refund): RefundStanding {
  const items = facts.refundItems.filter(({ refundId }) => refundId === refund.id);
  const attempts = facts.attempts.filter(({ refundId }) => refundId === refund.id);
  const cents = centsOf(items);
  const movingCents = cents - refund.appliedCents;
  const doneCents = sum(attempts, (each) => (each.state === "done" ? each.cents : 0));
  const underWayCents = sum(attempts, (each) => (each.state === "asked" || each.state === "sent" ? each.cents : 0));
  const owedCents = movingCents - doneCents - underWayCents - refund.otherwiseCents;
  return {
    ...refund,
    items,
    cents,
    taxCents: taxOf(items),
    movingCents,
    doneCents,
    underWayCents,
    owedCents,
  };
}

/** How cents would be given back by payments of which so much is left, the oldest first. */
export function waysOf(left: readonly Way[], cents: number): Ways {
  let rest = cents;
  const ways = left.flatMap((way) => {
    const part = Math.min(rest, way.cents);
    rest -= part;
    return part > 0 ? [{ ...way, cents: part }] : [];
  });
  const [byHand, atProvider] = [ways.filter(({ isByHand }) => isByHand), ways.filter(({ isByHand }) => !isByHand)];
  return { ways, atProviderCents: centsOf(atProvider), byHandCents: centsOf(byHand) };
}

/** What each payment can give back: captured, and not asked for yet. After a lost dispute the provider refunds nothing more. */
const refundableOf = ({ payments, attempts }: Facts): Way[] =>
  payments
    .filter(({ dispute }) => dispute !== "lost")
    .map(({ id, kind, capturedCents }) => {
      const given = attempts.filter(
        (each) => each.paymentId === id && each.kind === "refund" && each.state !== "failed",
      );
      return { paymentId: id, isByHand: kind === "arranged", cents: capturedCents - centsOf(given) };
    })
    .filter(({ cents }) => cents > 0);

/** The refunds of an order, each of which takes what it owes before the next, and what is left for others. */
export function refundsOf(facts: Facts): { refunds: OwedRefund[]; refundable: Way[] } {
  let refundable = refundableOf(facts);
  const refunds = facts.refunds.map((row) => {
    const refund = refundStanding(facts, row);
    const ways = waysOf(refundable, refund.owedCents);
    refundable = refundable.map((left) => {
      const taken = ways.ways.find(({ paymentId }) => paymentId === left.paymentId);
      return { ...left, cents: left.cents - (taken?.cents ?? 0) };
    });
    const hasFailed =
      refund.owedCents > ways.byHandCents &&
      facts.attempts.some(({ refundId, state }) => refundId === row.id && state === "failed");
    return { ...refund, ...ways, hasFailed };
  });
  return { refunds, refundable };
}

function servicesOf(paid: readonly ChargeStanding[], refunds: readonly RefundStanding[]): Service[] {
  const items = [...paid, ...refunds.map(({ returnId, items }) => ({ returnId, items: items.map(negative) }))].flatMap(
    ({ returnId, items }) => items.filter(isService).map(({ kind, cents }) => ({ returnId, kind, cents })),
  );
  return [...Map.groupBy(items, ({ returnId, kind }) => `${returnId} ${kind}`).values()]
    .map((all) => ({ returnId: all[0]!.returnId, kind: all[0]!.kind, leftCents: centsOf(all) }) as Service)
    .filter(({ leftCents }) => leftCents > 0);
}

export function moneyOf(
  { payments, attempts }: Facts,
  charges: readonly ChargeStanding[],
  { refunds, refundable }: { refunds: readonly RefundStanding[]; refundable: Way[] },
): Money {
  const paid = charges.filter(({ state }) => state === "paid");
  const paidCents = sum(paid, ({ cents }) => cents);
  const leftCents = paidCents - sum(refunds, ({ cents }) => cents);
  const goods = [...paid, ...refunds.map(({ items }) => ({ items: items.map(negative) }))]
    .flatMap(({ items }): MoneyItem[] => items)
    .filter((item) => !isService(item));
  const isVoided = ({ id }: Payment) =>
    attempts.some(
      ({ paymentId, kind, state }) => paymentId === id && kind === "void" && (state === "asked" || state === "sent"),
    );
  const card = payments.findLast(({ hasCard }) => hasCard) ?? null;
  const authorized = payments.find((each) => each.state === "authorized" && !isLink(each) && !isVoided(each)) ?? null;
  return {
    paidCents,
    leftCents,
    leftForGoodsCents: centsOf(goods),
    services: servicesOf(paid, refunds),
    leftTaxCents: sum(paid, ({ taxCents }) => taxCents) - sum(refunds, ({ taxCents }) => taxCents),
    isDisputed: payments.some(({ dispute }) => dispute === "open"),
    isMismatched: payments.some(({ state }) => state === "mismatch"),
    isByCard: payments.some(({ kind }) => kind === "setup"),
    card,
    isRefused: Boolean(card?.refusedAt) && !authorized,
    refundable,
    authorized,
    wasHeld: payments.some(
      (each) =>
        !isLink(each) && (!NOT_HELD.includes(each.state) || attempts.some(({ paymentId }) => paymentId === each.id)),
    ),
  };
}

/** Paid for something of the order: a surplus pays nothing, and goes back. */
const pays = ({ state, items }: ChargeStanding): boolean =>
  state === "paid" && items.some(({ kind }) => kind !== "surplus");

/** The captured money of a payment paid nothing, and all of it goes back. */
export const isSurplus = ({ charges, facts: { attempts } }: OrderState, paymentId: string): boolean => {
  const paid = charges.filter(
    ({ id, state }) =>
      state === "paid" && attempts.some((each) => each.paymentId === paymentId && each.chargeId === id),
  );
  return paid.length > 0 && !paid.some(pays);
};

/** The kept card may be charged for what waits, once that is announced. */
export const mayChargeCard = ({ stage, money, facts: { order } }: OrderState): boolean =>
  stage !== "unpaid" &&
  order.end === null &&
  money.isByCard &&
  money.card !== null &&
  !money.isRefused &&
  !money.isDisputed &&
  !money.isMismatched;
