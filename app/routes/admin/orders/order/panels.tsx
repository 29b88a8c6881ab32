import type { ReactNode } from "react";
import { Link } from "react-router";
import { DECLINE_REASONS, LINE_REASONS, REFUND_REASONS } from "#shop/fulfillment/order-actions.ts";
import { formatMoney } from "#shop/money.ts";
import { ARRANGEMENTS, REFERENCE_CHARACTERS } from "#shop/payments/arrangement.ts";
import { unitsKept } from "#shop/orders/order.ts";
import { useActionResult } from "#app/ui/form/form.tsx";
import { AdminArea, AdminCheckbox, AdminSelect, AdminText } from "#app/ui/admin/field.tsx";
import { CARRIER_OPTIONS } from "../order-table.tsx";
import { ActionPanel } from "./action-panel.tsx";
import { AddressFields } from "./address-fields.tsx";
import { DelayPanel } from "./delay-panel.tsx";
import type { OrderData } from "./load.server.ts";
import { LabelPanels } from "./label-panels.tsx";
import { ReturnPanel } from "./return-panel.tsx";
import { PartOfOrder, Units, type Line } from "./units.tsx";

type Props = { order: OrderData; isNext?: boolean };

const Reason = ({ list }: { list: Record<string, string> }) => (
  <AdminSelect
    name="reason"
    label="Reason, shown to the customer"
    className="w-full max-w-sm"
    options={[["", "Choose"], ...Object.entries(list)]}
  />
);

/** Ships with a label that is bought here, or with a tracking number from elsewhere. */
function ShipPanel({ order, isNext = false }: Props) {
  const pasted = useActionResult(`ship-${order.id}`);
  if (!order.label || order.why.rates !== null) return <PastePanel order={order} isNext={isNext} />;
  return (
    <div className="grid gap-4">
      <LabelPanels order={order} isNext={isNext} />
      <details open={pasted?.ok === false || undefined}>
        <summary className="admin-link w-fit cursor-pointer py-2">Ship with a tracking number</summary>
        <div className="mt-2">
          <PastePanel order={order} isNext={isNext} />
        </div>
      </details>
    </div>
  );
}

function PastePanel({ order, isNext = false }: Props) {
  return (
    <ActionPanel intent="ship" label="Ship" isNext={isNext} order={order}>
      <div className="grid w-full max-w-xl gap-3 sm:grid-cols-[1fr_180px]">
        <AdminText name="tracking" label="Tracking number" autoComplete="off" spellCheck={false} maxLength={60} />
        <AdminSelect name="carrier" label="Carrier" options={CARRIER_OPTIONS} />
      </div>
      <PartOfOrder order={order} />
    </ActionPanel>
  );
}

function DeliverPanel({ order, isNext = false }: Props) {
  return <ActionPanel intent="deliver" label="Mark as delivered" isNext={isNext} order={order} />;
}

function UnholdPanel({ order, isNext = false }: Props) {
  return (
    <ActionPanel intent="unhold" label="Release hold" isNext={isNext} order={order}>
      <AdminText name="text" label="Note (optional)" maxLength={500} className="w-full max-w-xl" />
    </ActionPanel>
  );
}

function AskPaymentPanel({ order, isNext = false }: Props) {
  return <ActionPanel intent="ask-payment" label="Request payment" order={order} isNext={isNext} />;
}

function RecordPaymentPanel({ order, isNext = false }: Props) {
  const { money } = order;
  if (!money) return null;
  return (
    <ActionPanel intent="record-payment" label="Record payment" order={order} isNext={isNext}>
      <input type="hidden" name="cents" value={money.chargedCents} />
      <p>The customer paid {formatMoney(money.chargedCents)}, the total of this order.</p>
      <AdminSelect
        name="how"
        label="Paid by"
        className="w-full max-w-sm"
        options={[["", "Choose"], ...Object.entries(ARRANGEMENTS)]}
      />
      <AdminText
        name="reference"
        label="Reference (optional)"
        hint="The number of the check or transfer. No names, no card numbers."
        maxLength={REFERENCE_CHARACTERS}
        autoComplete="off"
        spellCheck={false}
        className="w-full max-w-sm"
      />
    </ActionPanel>
  );
}

function RefundPanel({ order }: Props) {
  const { money } = order;
  if (!money) return null;
  const limit = money.refundLimitCents;
  const left = money.capturedCents - money.refundedCents;
  return (
    <ActionPanel intent="refund" label={money.isArranged ? "Record refund" : "Refund"} order={order}>
      {money.isArranged && <p>The customer paid you directly. Send the money back the same way, then record it.</p>}
      <input type="hidden" name="refundsSeen" value={money.refundsSeen} />
      <p className="text-ink-soft">
        {formatMoney(left)} available to refund.
        {limit !== null && ` Your role can refund up to ${formatMoney(limit)} per order per day.`}
      </p>
      <Units order={order} most={unitsKept} first="none" />
      {money.ordered.shippingCents > 0 && (
        <AdminCheckbox name="shipping" label={`Shipping, ${formatMoney(money.ordered.shippingCents)}`} />
      )}
      <AdminText name="amount" label="Or an amount ($)" inputMode="decimal" autoComplete="off" className="w-44" />
      <Reason list={REFUND_REASONS} />
    </ActionPanel>
  );
}

/** The form posts what stays of each line, so that it cancels once however often it is sent. */
const unitsToKeep = (line: Line, units: number) => unitsKept(line) - units;

function CancelItemsPanel({ order }: Props) {
  const { parcels, money } = order;
  const isRest = parcels.length > 0;
  return (
    <ActionPanel intent="cancel-line" label={isRest ? "Cancel the rest" : "Cancel items"} isDanger order={order}>
      <Units order={order} most={({ unitsLeft }) => unitsLeft} first={isRest ? "all" : "none"} posts={unitsToKeep} />
      <AdminSelect
        name="stock"
        label="Canceled items"
        className="w-full max-w-sm"
        options={[
          ["back", "Return to stock"],
          ["off", "Write off"],
        ]}
      />
      <Reason list={LINE_REASONS} />
      {money !== undefined && money.capturedCents > 0 && (
        <>
          <p className="text-ink-soft">
            {money.isArranged
              ? "What was paid for them is recorded as refunded. Send it back the way it was paid."
              : "What was charged for them is refunded."}
          </p>
          <AdminCheckbox name="refunded" label="They were refunded before" />
        </>
      )}
    </ActionPanel>
  );
}

function AddressPanel({ order }: Props) {
  return (
    <ActionPanel intent="address" label="Edit address" order={order}>
      <input type="hidden" name="addressSeen" value={order.addressSeen} />
      <AddressFields address={order.address} />
    </ActionPanel>
  );
}

/** The action that the order waits for. */
export function NextAction({ order }: Props) {
  if (order.next === "ship") return <ShipPanel order={order} isNext />;
  if (order.next === "deliver") return <DeliverPanel order={order} isNext />;
  if (order.next === "unhold") return <UnholdPanel order={order} isNext />;
  if (order.next === "record-payment") return <RecordPaymentPanel order={order} isNext />;
  return <AskPaymentPanel order={order} isNext />;
}

export function MoreActions({ order }: Props) {
  const { id, why, next, emails, mayGive } = order;
  const panels: Record<string, ReactNode> = {
    ship: <ShipPanel order={order} />,
    deliver: <DeliverPanel order={order} />,
    unhold: why.unhold === null && <UnholdPanel order={order} />,
    hold: (
      <ActionPanel intent="hold" label="Put on hold" order={order}>
        <AdminText name="text" label="Reason" maxLength={500} className="w-full max-w-xl" />
      </ActionPanel>
    ),
    delay: <DelayPanel order={order} />,
    "cancel-line": <CancelItemsPanel order={order} />,
    refund: <RefundPanel order={order} />,
    return: <ReturnPanel order={order} />,
    give: mayGive && (
      <Link to={`/admin/orders/new?from=${id}`} className="btn">
        Send at no charge
      </Link>
    ),
    "ask-payment": <AskPaymentPanel order={order} />,
    "record-payment": <RecordPaymentPanel order={order} />,
    reconcile: <ActionPanel intent="reconcile" label="Sync payment" order={order} />,
    address: <AddressPanel order={order} />,
    email: emails.length > 0 && (
      <ActionPanel intent="email" label="Resend email" order={order}>
        <AdminSelect
          name="email"
          label="Email"
          className="w-full max-w-sm"
          options={emails.map(({ value, name }) => [value, name])}
        />
      </ActionPanel>
    ),
    cancel: (
      <ActionPanel intent="cancel" label="Cancel order" isDanger order={order}>
        <p className="max-w-prose">
          Items return to stock, the payment is voided or refunded, and the customer is notified.
        </p>
      </ActionPanel>
    ),
    decline: (
      <ActionPanel intent="decline" label="Decline order" isDanger order={order}>
        <Reason list={DECLINE_REASONS} />
      </ActionPanel>
    ),
  };
  return (
    <div className="grid gap-2.5">
      {Object.entries(panels)
        .filter(([intent]) => intent !== next)
        .map(([intent, panel]) => (
          <div key={intent} className="empty:hidden">
            {panel}
          </div>
        ))}
    </div>
  );
}

export function NoteForm({ order }: Props) {
  if (!order.mayNote) return null;
  return (
    <ActionPanel intent="note" label="Add note" order={order}>
      <AdminArea
        name="text"
        label="Note"
        hint="Visible to staff only. Customers can request a copy of notes about them."
        rows={3}
        className="w-full"
      />
    </ActionPanel>
  );
}
