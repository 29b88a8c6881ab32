/** Parcels of an order, and their corrections. */
import type { ReactNode } from "react";
import { Link } from "react-router";
import { shipmentRefusal, type ShipmentAction } from "#shop/fulfillment/order-actions.ts";
import { PROGRESS_WORDS } from "#shop/fulfillment/shipment.ts";
import { useActionResult } from "#app/ui/form/form.tsx";
import { AdminSelect, AdminText } from "#app/ui/admin/field.tsx";
import { Section, Status, type Tone } from "#app/ui/admin/page-head.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { CARRIER_OPTIONS } from "../order-table.tsx";
import type { OrderData } from "./load.server.ts";
import { ActionPanel } from "./action-panel.tsx";

const PARCEL_WORDS = {
  capturing: { word: "Waiting for payment", tone: "soon" },
  failed: { word: "Failed", tone: "late" },
  shipped: { word: "Shipped", tone: "open" },
  delivered: { word: "Delivered", tone: "done" },
  refused: { word: "Refused, coming back", tone: "late" },
  lost: { word: "Lost", tone: "late" },
} as const;

type Parcel = OrderData["parcels"][number];

function stateOf({ state, progress, returnedAt, resentAt }: Parcel): { word: string; tone: Tone } {
  if (resentAt) return { word: `${PARCEL_WORDS[state].word}, sent again`, tone: "quiet" };
  if (returnedAt) return { word: "Refused, back with you", tone: "late" };
  if (state === "shipped") return { word: progress ? PROGRESS_WORDS[progress] : "Shipped", tone: "open" };
  return PARCEL_WORDS[state];
}

type Props = { order: OrderData };

export function Parcels({ order }: Props) {
  const { parcels } = order;
  // The panels stay below the last parcel for the message that it was undone.
  const hasPanels = useActionResult(`undo-shipment-${order.id}`) !== undefined || parcels.length > 0;
  return (
    <Section title="Shipments" className="gap-2">
      {parcels.length === 0 && <p className="text-ink-soft">No shipments yet.</p>}
      <ul className="grid gap-3">
        {parcels.map((parcel) => (
          <OneParcel key={parcel.id} parcel={parcel} />
        ))}
      </ul>
      {hasPanels && (
        <>
          <TrackingPanel order={order} />
          <UndoPanel order={order} />
          <ParcelPanel intent="refused" label="Mark as refused" order={order}>
            <p className="max-w-prose">The package comes back to you. The customer is notified.</p>
            <ShipmentSelect order={order} act="refused" />
          </ParcelPanel>
          <ParcelPanel intent="lost" label="Mark as lost" order={order}>
            <p className="max-w-prose">The carrier cannot find the package. The customer is notified.</p>
            <ShipmentSelect order={order} act="lost" />
          </ParcelPanel>
          <ParcelPanel intent="returned" label="Receive refused package" order={order}>
            <ShipmentSelect order={order} act="returned" />
            <AdminSelect
              name="stock"
              label="Returned items"
              className="w-full max-w-sm"
              options={[
                ["back", "Return to stock"],
                ["off", "Write off"],
              ]}
            />
          </ParcelPanel>
          <ParcelPanel intent="send-again" label="Send again" order={order}>
            <p className="max-w-prose">Its items leave the stock once more and are to ship, without another charge.</p>
            <ShipmentSelect order={order} act="send-again" />
          </ParcelPanel>
        </>
      )}
    </Section>
  );
}

function OneParcel({ parcel }: { parcel: Parcel }) {
  const { id, carrier, trackingNumber, url, state, shippedAt, progressAt, deliveredAt, hasLabel } = parcel;
  const { word, tone } = stateOf(parcel);
  const at = state === "delivered" ? deliveredAt : (progressAt ?? shippedAt);
  return (
    <li>
      <Status tone={tone}>{word}</Status>
      <span className="block [overflow-wrap:anywhere]">
        {carrier}{" "}
        {url && (
          <a href={url} className="admin-link tabular-nums">
            {trackingNumber}
          </a>
        )}
      </span>
      {at && (
        <span className="text-ink-soft">
          <When at={at} />
        </span>
      )}
      {hasLabel && (
        <Link to={`/admin/orders/slips?ids=${id}`} className="admin-link block w-fit">
          Print label and slip
        </Link>
      )}
    </li>
  );
}

type ParcelPanelProps = Props & { intent: ShipmentAction; label: string; children: ReactNode };

/** Shown while it is possible, and below its own message. */
function ParcelPanel({ order, intent, ...panel }: ParcelPanelProps) {
  const result = useActionResult(`${intent}-${order.id}`);
  return (order.why[intent] === null || result) && <ActionPanel intent={intent} order={order} {...panel} />;
}

function ShipmentSelect({ order, act }: Props & { act: ShipmentAction }) {
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
