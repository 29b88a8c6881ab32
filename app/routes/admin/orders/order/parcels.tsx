/** Parcels of an order, and their corrections. */
import { shipmentRefusal } from "#shop/fulfillment/order-actions.ts";
import { useActionResult } from "#app/ui/form/form.tsx";
import { AdminSelect, AdminText } from "#app/ui/admin/field.tsx";
import { Section, Status } from "#app/ui/admin/page-head.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { CARRIER_OPTIONS } from "../order-table.tsx";
import type { OrderData } from "./load.server.ts";
import { ActionPanel } from "./action-panel.tsx";

const PARCEL_WORDS = {
  capturing: { word: "Waiting for payment", tone: "soon" },
  failed: { word: "Failed", tone: "late" },
  shipped: { word: "In transit", tone: "open" },
  delivered: { word: "Delivered", tone: "done" },
  refused: { word: "Refused", tone: "late" },
  lost: { word: "Lost", tone: "late" },
} as const;

type Props = { order: OrderData };

export function Parcels({ order }: Props) {
  const { parcels } = order;
  // The panels stay below the last parcel for the message that it was undone.
  const hasPanels = useActionResult(`undo-shipment-${order.id}`) !== undefined || parcels.length > 0;
  return (
    <Section title="Shipments" className="gap-2">
      {parcels.length === 0 && <p className="text-ink-soft">No shipments yet.</p>}
      <ul className="grid gap-3">
        {parcels.map(({ id, carrier, trackingNumber, url, state, shippedAt }) => (
          <li key={id}>
            <Status tone={PARCEL_WORDS[state].tone}>{PARCEL_WORDS[state].word}</Status>
            <span className="block [overflow-wrap:anywhere]">
              {carrier}{" "}
              {url && (
                <a href={url} className="admin-link tabular-nums">
                  {trackingNumber}
                </a>
              )}
            </span>
            {shippedAt && (
              <span className="text-ink-soft">
                <When at={shippedAt} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {hasPanels && (
        <>
          <TrackingPanel order={order} />
          <UndoPanel order={order} />
        </>
      )}
    </Section>
  );
}

function ShipmentSelect({ order, act }: Props & { act: "tracking" | "undo-shipment" }) {
  const options = order.parcels.filter((parcel) => shipmentRefusal(act, parcel) === null);
  return (
    <AdminSelect
      name="shipment"
      label="Shipment"
      className="w-full max-w-sm"
      options={options.map(({ id, carrier, trackingNumber }) => [id, `${carrier} ${trackingNumber}`])}
    />
  );
}

function TrackingPanel({ order }: Props) {
  return (
    <ActionPanel intent="tracking" label="Correct tracking" order={order}>
      <ShipmentSelect order={order} act="tracking" />
      <AdminText name="tracking" label="Correct number" autoComplete="off" spellCheck={false} maxLength={60} />
      <AdminSelect name="carrier" label="Carrier" options={CARRIER_OPTIONS} />
    </ActionPanel>
  );
}

function UndoPanel({ order }: Props) {
  return (
    <ActionPanel intent="undo-shipment" label="Undo shipment" isDanger order={order}>
      <p className="max-w-prose">
        For a package that has not left. Its items are to ship again, what was charged stays charged, and the customer
        is notified.
      </p>
      <ShipmentSelect order={order} act="undo-shipment" />
    </ActionPanel>
  );
}
