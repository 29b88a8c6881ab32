import { Fragment, type ReactNode } from "react";
import { Link } from "react-router";
import { DECLINE_REASONS } from "#shop/orders/reasons.ts";
import { policyText } from "#shop/policy-text.ts";
import { useActionResult } from "#app/ui/form/form.tsx";
import { AdminArea, AdminSelect, AdminText } from "#app/ui/admin/field.tsx";
import { CARRIER_OPTIONS } from "../order-table.tsx";
import { ActionPanel, isPossible, MoreActions, type PanelIntent } from "./action-panel.tsx";
import { AddressPanel } from "./address-panel.tsx";
import { DelayPanel } from "./delay-panel.tsx";
import type { OrderData } from "./load.server.ts";
import { LabelPanels } from "./label-panels.tsx";
import { CancelItemsPanel, RecordPaymentPanel } from "./money-panels.tsx";
import { RefundPanel } from "./refund-panel.tsx";
import { ReturnPanel } from "./return-panel.tsx";
import { PartOfOrder, Units, waitWords } from "./units.tsx";

type Props = { order: OrderData };

/** Ships with a label that is bought here, or with a tracking number from elsewhere. */
function ShipPanel({ order }: Props) {
  const pasted = useActionResult(`ship-${order.id}`);
  if (!order.label || order.why.rates !== null) return <PastePanel order={order} />;
  return (
    <div className="grid gap-4">
      <LabelPanels order={order} />
      <details open={pasted?.ok === false || undefined}>
        <summary className="admin-link w-fit cursor-pointer py-2">Ship with a tracking number</summary>
        <div className="mt-2">
          <PastePanel order={order} />
        </div>
      </details>
    </div>
  );
}

function PastePanel({ order }: Props) {
  return (
    <ActionPanel intent="ship" label="Ship" order={order}>
      <input type="hidden" name="addressSeen" value={order.addressSeen} />
      <div className="grid w-full max-w-xl gap-3 sm:grid-cols-[1fr_180px]">
        <AdminText name="tracking" label="Tracking number" autoComplete="off" spellCheck={false} maxLength={60} />
        <AdminSelect name="carrier" label="Carrier" options={CARRIER_OPTIONS} />
      </div>
      <PartOfOrder order={order} />
    </ActionPanel>
  );
}

/** Announces the charge of the kept card, to ship before the promised day. */
function AnnouncePanel({ order }: Props) {
  return (
    <ActionPanel intent="announce" label="Ship early" order={order}>
      <Units order={order} most={({ unitsLeft }) => unitsLeft} first="all" note={waitWords} />
      <p className="max-w-prose text-ink-soft">
        {`The customer is told the amount, the card and the day, ${policyText.chargeNoticeDays} from now. It can ship then, or as soon as they press “Ship it now”.`}
      </p>
    </ActionPanel>
  );
}

/** Panels by action, most wanted first. */
const panelsOf = (order: OrderData): Partial<Record<PanelIntent, ReactNode>> => ({
  announce: <AnnouncePanel order={order} />,
  refund: <RefundPanel order={order} />,
  return: <ReturnPanel order={order} />,
  hold: (
    <ActionPanel intent="hold" label="Put on hold" order={order}>
      <AdminText name="text" label="Reason" maxLength={500} className="w-full max-w-xl" />
    </ActionPanel>
  ),
  address: <AddressPanel order={order} />,
  cancel: (
    <ActionPanel intent="cancel" label="Cancel order" isDanger order={order}>
      <AdminSelect
        name="reason"
        label="Reason, shown to the customer"
        className="w-full max-w-sm"
        options={[["", "They asked for it"], ...(isPossible("decline", order) ? Object.entries(DECLINE_REASONS) : [])]}
      />
      <p className="max-w-prose">
        Items return to stock, the payment is voided or refunded, and the customer is notified.
      </p>
    </ActionPanel>
  ),
  delay: <DelayPanel order={order} />,
  unhold: (
    <ActionPanel intent="unhold" label="Release hold" order={order}>
      <AdminText name="text" label="Note (optional)" maxLength={500} className="w-full max-w-xl" />
    </ActionPanel>
  ),
  "cancel-line": <CancelItemsPanel order={order} />,
  ship: <ShipPanel order={order} />,
  deliver: <ActionPanel intent="deliver" label="Mark as delivered" order={order} />,
  "ask-payment": <ActionPanel intent="ask-payment" label="Request payment" order={order} />,
  "record-payment": <RecordPaymentPanel order={order} />,
  email: order.emails.length > 0 && (
    <ActionPanel intent="email" label="Resend email" order={order}>
      <AdminSelect
        name="email"
        label="Email"
        className="w-full max-w-sm"
        options={order.emails.map(({ value, name }) => [value, name])}
      />
    </ActionPanel>
  ),
  reconcile: <ActionPanel intent="reconcile" label="Check payment at the provider" order={order} />,
});

/** The action that the order waits for. */
export const NextAction = ({ order }: Props) => order.next && panelsOf(order)[order.next];

/** Actions that are shown; the others are in a menu. */
const SHOWN = 3;

/** Actions besides the next step. */
export function Actions({ order }: Props) {
  const { id, next, mayPlace } = order;
  const possible = Object.entries(panelsOf(order))
    .filter(([intent, panel]) => panel && intent !== next && isPossible(intent as PanelIntent, order))
    .map(([intent, panel]) => <Fragment key={intent}>{panel}</Fragment>);
  if (mayPlace) {
    possible.push(
      <Link key="new" to={`/admin/orders/new?from=${id}`} className="btn">
        Create another order
      </Link>,
    );
  }
  return (
    <section aria-label="Actions" className="flex flex-wrap items-start gap-2 empty:hidden">
      {possible.slice(0, SHOWN)}
      {possible.length > SHOWN && <MoreActions>{possible.slice(SHOWN)}</MoreActions>}
    </section>
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
