/** Parcels of an order, and their corrections. */
import { AdminSelect, AdminText } from "#app/ui/admin/field.tsx";
import { Section, Status } from "#app/ui/admin/page-head.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { CARRIER_OPTIONS } from "../order-table.tsx";
import type { OrderData } from "./load.server.ts";
import { ActionPanel } from "./panels.tsx";

const PARCEL_WORDS = {
  capturing: { word: "Waiting for payment", tone: "soon" },
  failed: { word: "Failed", tone: "late" },
  shipped: { word: "In transit", tone: "open" },
  delivered: { word: "Delivered", tone: "done" },
  refused: { word: "Refused", tone: "late" },
  lost: { word: "Lost", tone: "late" },
} as const;

export function Parcels({ order }: { order: OrderData }) {
  const { parcels } = order;
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
      <TrackingPanel order={order} />
    </Section>
  );
}

function ShipmentSelect({ parcels }: { parcels: OrderData["parcels"] }) {
  return (
    <AdminSelect
      name="shipment"
      label="Shipment"
      className="w-full max-w-sm"
      options={parcels.map(({ id, carrier, trackingNumber }) => [id, `${carrier} ${trackingNumber}`])}
    />
  );
}

function TrackingPanel({ order }: { order: OrderData }) {
  if (order.parcels.length === 0) return null;
  return (
    <ActionPanel intent="tracking" label="Correct tracking" order={order}>
      <ShipmentSelect parcels={order.parcels.filter(({ state }) => state === "shipped")} />
      <AdminText name="tracking" label="Correct number" autoComplete="off" spellCheck={false} maxLength={60} />
      <AdminSelect name="carrier" label="Carrier" options={CARRIER_OPTIONS} />
    </ActionPanel>
  );
}
