/** Parcels of an order, and their corrections. */
import { Link } from "react-router";
import type { ShipmentAction } from "#shop/fulfillment/order-actions.ts";
import { PROGRESS_WORDS } from "#shop/fulfillment/shipment.ts";
import { formatMoney } from "#shop/money.ts";
import { LINE_REASONS } from "#shop/orders/reasons.ts";
import { AdminSelect, AdminText } from "#app/ui/admin/field.tsx";
import { Section, Status, type Tone } from "#app/ui/admin/page-head.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { CARRIER_OPTIONS } from "../order-table.tsx";
import type { OrderData } from "./load.server.ts";
import { ActionPanel, isPossible, MoreActions } from "./action-panel.tsx";
import { Reason } from "./money-panels.tsx";

const PARCEL_WORDS = {
  packing: { word: "Waiting for payment", tone: "soon" },
  failed: { word: "Failed", tone: "late" },
  shipped: { word: "Shipped", tone: "open" },
  delivered: { word: "Delivered", tone: "done" },
  refused: { word: "Refused, coming back", tone: "late" },
  lost: { word: "Lost", tone: "late" },
} as const;

type Parcel = OrderData["parcels"][number];

/** Something else was sent in its place. */
function sentAgain(state: Parcel["state"], returnedAt: Date | null): { word: string; tone: Tone } {
  if (state === "lost") return { word: "Lost, sent again", tone: "quiet" };
  if (state === "delivered") return { word: "Delivered too, after it was sent again", tone: "soon" };
  return returnedAt
    ? { word: "Came back, sent again", tone: "quiet" }
    : { word: "Sent again, coming back", tone: "late" };
}

function stateOf({ state, progress, returnedAt, isSentAgain }: Parcel): { word: string; tone: Tone } {
  if (isSentAgain) return sentAgain(state, returnedAt);
  if (returnedAt) return { word: "Refused, back with you", tone: "late" };
  if (state === "shipped") return { word: progress ? PROGRESS_WORDS[progress] : "Shipped", tone: "open" };
  return PARCEL_WORDS[state];
}

type Props = { order: OrderData };

export function Parcels({ order }: Props) {
  const { parcels, voidedLabels } = order;
  return (
    <Section title="Shipments" className="gap-2">
      {parcels.length === 0 && <p className="text-ink-soft">No shipments yet.</p>}
      <ul className="grid gap-3">
        {parcels.map((parcel) => (
          <OneParcel key={parcel.id} parcel={parcel} />
        ))}
      </ul>
      {voidedLabels.length > 0 && (
        <ul aria-label="Voided labels" className="grid gap-1">
          {voidedLabels.map(({ id, words, outcome, isRefused }) => (
            <li key={id}>
              <span className="block">{`Label not used: ${words}`}</span>
              <Status tone={isRefused ? "late" : "quiet"}>{outcome}</Status>
            </li>
          ))}
        </ul>
      )}
      <ActionPanel intent="returned" label="Receive package that came back" order={order}>
        <ShipmentSelect order={order} act="returned" />
        {parcels.some(({ may, hasStock }) => hasStock && may.includes("returned")) ? (
          <AdminSelect
            name="stock"
            label="Returned items"
            className="w-full max-w-sm"
            options={[
              ["back", "Return to stock"],
              ["off", "Write off"],
            ]}
          />
        ) : (
          <>
            <input type="hidden" name="stock" value="off" />
            <p className="max-w-prose">It has the customer’s own product, which does not go to stock. Send it again.</p>
          </>
        )}
      </ActionPanel>
      <ActionPanel intent="send-again" label="Send again" order={order}>
        <p className="max-w-prose">Its items leave stock again and will ship without another charge.</p>
        <ShipmentSelect order={order} act="send-again" />
      </ActionPanel>
      <ActionPanel intent="write-off" label="Write off" isDanger order={order}>
        <p className="max-w-prose">
          For items at no charge: they are not sent again, and there is nothing to refund. The customer is notified.
        </p>
        <ShipmentSelect order={order} act="write-off" />
        <Reason list={LINE_REASONS} />
      </ActionPanel>
      {CHANGES.some((intent) => isPossible(intent, order)) && (
        <MoreActions label="Change shipment">
          <TrackingPanel order={order} />
          <ActionPanel intent="refused" label="Mark as refused" order={order}>
            <p className="max-w-prose">The package comes back to you. The customer is notified.</p>
            <ShipmentSelect order={order} act="refused" />
          </ActionPanel>
          <ActionPanel intent="lost" label="Mark as lost" order={order}>
            <p className="max-w-prose">The carrier cannot find the package. The customer is notified.</p>
            <ShipmentSelect order={order} act="lost" />
          </ActionPanel>
          <ActionPanel intent="arrived" label="Mark one as delivered" order={order}>
            <p className="max-w-prose">The package arrived, even if it was marked as lost. Refunds stay as they are.</p>
            <ShipmentSelect order={order} act="arrived" />
          </ActionPanel>
          <UndoPanel order={order} />
        </MoreActions>
      )}
    </Section>
  );
}

const CHANGES: ShipmentAction[] = ["tracking", "refused", "lost", "arrived", "undo-shipment"];

function OneParcel({ parcel }: { parcel: Parcel }) {
  const { id, carrier, trackingNumber, url, state, shippedAt, progressAt, deliveredAt, hasLabel } = parcel;
  const { contents, postageCents } = parcel;
  const { word, tone } = stateOf(parcel);
  const at = state === "delivered" ? deliveredAt : (progressAt ?? shippedAt);
  return (
    <li>
      <Status tone={tone}>{word}</Status>
      <span className="flex flex-wrap gap-x-1.5">
        <span>{carrier}</span>
        {url && (
          <a href={url} className="admin-link whitespace-nowrap tabular-nums">
            {trackingNumber}
          </a>
        )}
      </span>
      <span className="block">{contents}</span>
      <span className="block text-ink-soft">
        {at && <When at={at} />}
        {postageCents !== null && <span>{`${at ? ", p" : "P"}ostage ${formatMoney(postageCents)}`}</span>}
      </span>
      {hasLabel && (
        <Link to={`/admin/orders/slips?ids=${id}`} className="admin-link block w-fit">
          Print label and slip
        </Link>
      )}
    </li>
  );
}

function ShipmentSelect({ order, act }: Props & { act: ShipmentAction }) {
  const options = order.parcels.filter(({ may }) => may.includes(act));
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
        For a package that has not left. Its items will ship again, what was charged stays charged, and the customer is
        notified.
      </p>
      <ShipmentSelect order={order} act="undo-shipment" />
    </ActionPanel>
  );
}
