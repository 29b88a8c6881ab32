/** Refunds of chosen items, or of an amount. */
import type { Amounts } from "#shop/cart/totals.ts";
import { useField } from "@conform-to/react";
import { useCallback } from "react";
import { REFUND_NOT_BOTH, REFUND_REASONS } from "#shop/orders/reasons.ts";
import { formatMoney, readDollars } from "#shop/money.ts";
import { unitsKept } from "#shop/orders/order.ts";
import { centsOf, taxOf, waysOf } from "#shop/orders/order-money.ts";
import { refundItems } from "#shop/orders/refund-items.ts";
import { AdminCheckbox, AdminText, FieldError } from "#app/ui/admin/field.tsx";
import { useFormState } from "#app/ui/admin/unsaved-changes.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import { sendByHand } from "../../by-hand.ts";
import { ActionPanel, isPossible } from "./action-panel.tsx";
import type { OrderData } from "./load.server.ts";
import { Reason } from "./money-panels.tsx";
import { Units, type Line } from "./units.tsx";

type Money = NonNullable<OrderData["money"]>;
type RefundSum = Pick<Amounts, "totalCents"> &
  Partial<Amounts> & { servicesCents?: number; isBoth?: boolean; refundedCents?: number };
type Chosen = { units: unknown[]; hasShipping: boolean; services: Money["services"]; amount: unknown };

const chosenIn = (form: FormData, { services }: Money): Chosen => ({
  units: form.getAll("units"),
  hasShipping: form.has("shipping"),
  services: services.filter(({ value }) => form.getAll("services").includes(value)),
  amount: form.get("amount"),
});

/** The refund of what is chosen, or the amount that is typed. */
function refundOf({ lines }: OrderData, money: Money, { units, hasShipping, services, amount }: Chosen): RefundSum {
  const chosen = lines.flatMap(({ id, refundable }) => {
    const ofLine = units.find((text) => String(text).startsWith(`${id}:`));
    return refundable.slice(0, Number(String(ofLine).split(":")[1] ?? 0));
  });
  const shippingItem = hasShipping ? money.shippingToRefund : null;
  const shipping = shippingItem ? [shippingItem] : [];
  const items = [...chosen, ...shipping];
  const servicesCents = centsOf(services);
  const [shippingCents, taxCents, itemsCents] = [centsOf(shipping) - taxOf(shipping), taxOf(items), centsOf(items)];
  const sum = {
    subtotalCents: itemsCents - shippingCents - taxCents,
    shippingCents,
    taxCents,
    servicesCents,
    totalCents: itemsCents + servicesCents,
  };
  const typedCents = (typeof amount === "string" && readDollars(amount)) || 0;
  if (sum.totalCents > 0 && typedCents > 0) return { totalCents: 0, isBoth: true };
  if (sum.totalCents === 0) return { totalCents: typedCents };
  const totalCents = centsOf(refundItems(chosen, { shippingItem }, money)) + servicesCents;
  return { ...sum, totalCents, refundedCents: sum.totalCents - totalCents };
}

/** Refusals of the action that can be said before the press. */
function problemOf({ subtotalCents, totalCents, isBoth }: RefundSum, { leftForGoodsCents }: Money): string | undefined {
  if (isBoth) return REFUND_NOT_BOTH;
  const isMore = subtotalCents === undefined && totalCents > leftForGoodsCents;
  return isMore ? `More than the ${formatMoney(leftForGoodsCents)} left to refund` : undefined;
}

function SumTable({ totalCents, ...sum }: RefundSum) {
  const { subtotalCents = 0, shippingCents = 0, taxCents = 0, servicesCents = 0, refundedCents = 0 } = sum;
  const parts = [
    ["Items", subtotalCents],
    ["Shipping", shippingCents],
    ["Sales tax", taxCents],
    ["Services", servicesCents],
    ["Refunded before", -refundedCents],
  ] as const;
  return (
    <dl className="grid gap-1">
      {[...parts.filter(([, cents]) => cents !== 0), ["Total", totalCents] as const].map(([name, cents]) => (
        <div key={name} className="flex justify-between gap-6 last:font-medium">
          <dt>{name}</dt>
          <dd className="tabular-nums">{formatMoney(cents)}</dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * The amount, the sum of what is chosen, and the button that names it. Without JavaScript a first press shows the sum, and
 * a second one confirms it.
 */
function AmountAndButton({ order, money }: { order: OrderData; money: Money }) {
  const [total, { initialValue }] = useField<string, Record<string, unknown>>("total");
  const sumOf = useCallback(
    (form: HTMLFormElement) => refundOf(order, money, chosenIn(new FormData(form), money)),
    [order, money],
  );
  const { units, shipping, services, amount } = initialValue ?? {};
  const typed = {
    units: [units ?? []].flat(),
    hasShipping: shipping === "on",
    services: money.services.filter(({ value }) => [services ?? []].flat().includes(value)),
    amount,
  };
  const live = useFormState(`refund-${order.id}`, sumOf);
  const sum = live ?? refundOf(order, money, typed);
  const problem = live ? problemOf(live, money) : undefined;
  const { byHandCents } = waysOf(money.refundable, sum.totalCents);
  return (
    <>
      <AdminText
        name="amount"
        label="Or an amount ($)"
        error={sum.subtotalCents === undefined ? problem : undefined}
        inputMode="decimal"
        autoComplete="off"
        className="w-44"
      />
      <Reason list={REFUND_REASONS} />
      <Restocking order={order} />
      <div role="status" className="grid w-full max-w-sm gap-1">
        {sum.totalCents > 0 && <SumTable {...sum} />}
        {sum.subtotalCents !== undefined && problem && <p className="text-saving">{problem}</p>}
        {byHandCents > 0 && !problem && <p>{sendByHand(byHandCents)}</p>}
      </div>
      <input type="hidden" name="total" value={sum.totalCents || ""} />
      <FieldError id="refund-total-error">{total.errors?.[0]}</FieldError>
      <Submit className="btn" disabled={problem !== undefined}>
        {sum.totalCents > 0 ? `Refund ${formatMoney(sum.totalCents)}` : "Refund"}
      </Submit>
    </>
  );
}

const refundNote = (line: Line): string | undefined => {
  if (line.refunded === 0) return line.unitsReplaced > 0 ? `${line.unitsReplaced} replaced` : undefined;
  return line.refundable.length === 0 ? "Refunded" : `${line.refunded} of ${unitsKept(line)} refunded before`;
};

export function RefundPanel({ order }: { order: OrderData }) {
  const { money } = order;
  if (!money) return null;
  const limit = money.refundLimitCents;
  return (
    <ActionPanel intent="refund" label="Refund" order={order} submit={<AmountAndButton order={order} money={money} />}>
      <input type="hidden" name="refundsSeen" value={money.refundsSeen} />
      <p className="text-ink-soft">
        <span>{`${formatMoney(money.leftForGoodsCents)} available to refund.`}</span>
        {limit !== null && <span>{` Your role can refund up to ${formatMoney(limit)} per order per day.`}</span>}
      </p>
      <Units order={order} most={({ refundable }) => refundable.length} first="none" note={refundNote} />
      {money.shippingToRefund && (
        <AdminCheckbox name="shipping" label={`Shipping, ${formatMoney(money.shippingToRefund.cents)}`} />
      )}
      {money.services.map(({ value, name, cents }) => (
        <AdminCheckbox key={value} name="services" value={value} label={`${name}, ${formatMoney(cents)}`} />
      ))}
    </ActionPanel>
  );
}

/** A refund gives back money only: stock moves with a cancellation or a return. */
function Restocking({ order }: { order: OrderData }) {
  const { lines, id } = order;
  const canceling = isPossible("cancel-line", order) ? "cancel-line" : "cancel";
  return (
    <p className="max-w-prose text-ink-soft">
      Refunds don’t return items to stock.
      {lines.some(({ unitsToCancel }) => unitsToCancel > 0) && isPossible(canceling, order) && (
        <span>
          {" "}
          For items that have not shipped,{" "}
          <a href={`#${canceling}-${id}`} className="admin-link">
            cancel them
          </a>{" "}
          instead, which also refunds them.
        </span>
      )}
      {isPossible("return", order) && (
        <span>
          {" "}
          For items coming back,{" "}
          <a href={`#return-${id}`} className="admin-link">
            open a return
          </a>
          .
        </span>
      )}
    </p>
  );
}
