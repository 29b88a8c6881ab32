/** The acts on an order, each with its fields. */
import type { ReactNode } from "react";
import { US_STATES } from "../../../../../shop/checkout/us-states.ts";
import { DECLINE_REASONS, LINE_REASONS, REFUND_REASONS } from "../../../../../shop/fulfillment/reasons.ts";
import { CARRIERS } from "../../../../../shop/fulfillment/shipment.ts";
import { formatMoney } from "../../../../../shop/money.ts";
import { AdminArea, AdminSelect, AdminText, CodeField } from "../../../../ui/admin/field.tsx";
import { ActPanel } from "./act-panel.tsx";
import type { OrderData } from "./load.server.ts";

type Props = { order: OrderData; isNext?: boolean };

const common = ({ id, seen }: OrderData) => ({ orderId: id, seen });

const reasons = (list: Record<string, string>) => (
  <>
    <option value="">Choose</option>
    {Object.entries(list).map(([value, words]) => (
      <option key={value} value={value}>
        {words}
      </option>
    ))}
  </>
);

/** How many units of each line, all of what is left at first. */
function Units({ order, of, first }: { order: OrderData; of: "unitsLeft" | "quantity"; first: "all" | "none" }) {
  return order.lines
    .filter((line) => line[of] > 0)
    .map((line) => (
      <AdminSelect
        key={line.id}
        name="units"
        label={line.name}
        defaultValue={`${line.id}:${first === "all" ? line[of] : 0}`}
        className="w-full max-w-sm"
      >
        {Array.from({ length: line[of] + 1 }, (_, units) => (
          <option key={units} value={`${line.id}:${units}`}>
            {units} of {line[of]}
          </option>
        ))}
      </AdminSelect>
    ));
}

export function ShipPanel({ order, isNext = false }: Props) {
  return (
    <ActPanel act="ship" label="Ship" why={order.why.ship} isNext={isNext} {...common(order)}>
      <div className="grid w-full max-w-xl gap-3 sm:grid-cols-[1fr_180px]">
        <AdminText name="tracking" label="Tracking number" autoComplete="off" spellCheck={false} maxLength={60} />
        <AdminSelect name="carrier" label="Carrier">
          <option value="">As the number says</option>
          {Object.entries(CARRIERS).map(([code, { name }]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </AdminSelect>
      </div>
      {order.lines.reduce((sum, { unitsLeft }) => sum + unitsLeft, 0) > 1 && (
        <details className="w-full">
          <summary className="admin-link w-fit cursor-pointer py-2">Only a part of it</summary>
          <div className="mt-2 grid gap-3">
            <Units order={order} of="unitsLeft" first="all" />
          </div>
        </details>
      )}
    </ActPanel>
  );
}

export function DeliverPanel({ order, isNext = false }: Props) {
  const hasRest = order.lines.some(({ unitsLeft }) => unitsLeft > 0);
  return (
    <ActPanel act="deliver" label="Mark delivered" why={order.why.deliver} isNext={isNext} {...common(order)}>
      {hasRest && (
        <label className="flex min-h-9 items-center gap-2 pointer-coarse:min-h-11">
          <input type="checkbox" name="rest" className="size-4.5 accent-leaf" /> The rest is not sent anymore
        </label>
      )}
    </ActPanel>
  );
}

export function UnholdPanel({ order, isNext = false }: Props) {
  return (
    <ActPanel act="unhold" label="Take off hold" why={order.why.unhold} isNext={isNext} {...common(order)}>
      <AdminText name="text" label="Note, if there is something to say" maxLength={500} className="w-full max-w-xl" />
    </ActPanel>
  );
}

export function AskPaymentPanel({ order, isNext = false }: Props) {
  return (
    <ActPanel
      act="ask-payment"
      label="Ask for payment"
      why={order.why["ask-payment"]}
      isNext={isNext}
      {...common(order)}
    />
  );
}

function RefundPanel({ order }: Props) {
  const { money, isFresh, why } = order;
  if (!money) return null;
  const limit = money.refundLimitCents;
  const left = money.capturedCents - money.refundedCents;
  return (
    <ActPanel act="refund" label="Refund" why={why.refund} {...common(order)}>
      <input type="hidden" name="refundsSeen" value={money.refundsSeen} />
      <p className="text-ink-soft">
        {formatMoney(left)} is left of what was charged.
        {limit !== null && ` Your role gives back at most ${formatMoney(limit)} of one order a day.`}
      </p>
      <Units order={order} of="quantity" first="none" />
      {money.ordered.shippingCents > 0 && (
        <label className="flex min-h-9 items-center gap-2 pointer-coarse:min-h-11">
          <input type="checkbox" name="shipping" className="size-4.5 accent-leaf" /> Shipping,{" "}
          {formatMoney(money.ordered.shippingCents)}
        </label>
      )}
      <AdminText
        name="amount"
        label="Or an amount, in dollars"
        inputMode="decimal"
        autoComplete="off"
        className="w-44"
      />
      <AdminSelect name="reason" label="Reason, as its customer reads it" className="w-full max-w-sm">
        {reasons(REFUND_REASONS)}
      </AdminSelect>
      {money.capturedCents > money.freshAboveCents && (limit === null || limit > money.freshAboveCents) && (
        <CodeField isFresh={isFresh} />
      )}
    </ActPanel>
  );
}

function CancelLinePanel({ order }: Props) {
  return (
    <ActPanel act="cancel-line" label="Cancel a line" why={order.why["cancel-line"]} isDanger {...common(order)}>
      <AdminSelect name="keep" label="What stays" className="w-full max-w-sm">
        <option value="">Choose</option>
        {order.lines.flatMap(({ id, name, quantity, canceledQuantity }) =>
          Array.from({ length: quantity - canceledQuantity }, (_, keep) => (
            <option key={`${id} ${keep}`} value={`${id}:${keep}`}>
              {keep === 0 ? `Nothing of ${name}` : `${keep} of ${quantity - canceledQuantity} × ${name}`}
            </option>
          )),
        )}
      </AdminSelect>
      <AdminSelect name="stock" label="The units" className="w-full max-w-sm">
        <option value="back">Go back into stock</option>
        <option value="off">Are written off</option>
      </AdminSelect>
      <AdminSelect name="reason" label="Reason, as its customer reads it" className="w-full max-w-sm">
        {reasons(LINE_REASONS)}
      </AdminSelect>
    </ActPanel>
  );
}

function AddressPanel({ order }: Props) {
  const { address } = order;
  const text = (name: keyof typeof address, label: string, className = "") => (
    <AdminText name={name} label={label} defaultValue={address[name] ?? ""} autoComplete="off" className={className} />
  );
  return (
    <ActPanel act="address" label="Correct the address" why={order.why.address} {...common(order)}>
      <input type="hidden" name="addressSeen" value={order.addressSeen} />
      <div className="grid w-full max-w-xl grid-cols-2 gap-3">
        {text("shippingFirstName", "First name")}
        {text("shippingLastName", "Last name")}
        {text("shippingAddressLine1", "Address", "col-span-2")}
        {text("shippingAddressLine2", "Apartment, suite", "col-span-2")}
        {text("shippingCity", "City", "col-span-2")}
        <AdminSelect name="shippingState" label="State" defaultValue={address.shippingState}>
          {Object.entries(US_STATES).map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </AdminSelect>
        {text("shippingPostalCode", "ZIP code")}
      </div>
    </ActPanel>
  );
}

/** Everything but the next act, which stands first on the page. */
export function MoreActs({ order }: Props) {
  const { why, next, emails } = order;
  const panels: Record<string, ReactNode> = {
    ship: <ShipPanel order={order} />,
    deliver: <DeliverPanel order={order} />,
    unhold: why.unhold === null && <UnholdPanel order={order} />,
    hold: (
      <ActPanel act="hold" label="Put on hold" why={why.hold} {...common(order)}>
        <AdminText name="text" label="Why" maxLength={500} className="w-full max-w-xl" />
      </ActPanel>
    ),
    delay: (
      <ActPanel act="delay" label="Promise a later day" why={why.delay} {...common(order)}>
        <AdminText name="until" type="date" label="Ships by" hint="Its customer is asked to keep or to cancel it." />
      </ActPanel>
    ),
    "cancel-line": <CancelLinePanel order={order} />,
    refund: <RefundPanel order={order} />,
    "ask-payment": <AskPaymentPanel order={order} />,
    settle: <ActPanel act="settle" label="Ask the provider" why={why.settle} {...common(order)} />,
    address: <AddressPanel order={order} />,
    email: emails.length > 0 && (
      <ActPanel act="email" label="Send an email again" why={why.email} {...common(order)}>
        <AdminSelect name="email" label="Which" className="w-full max-w-sm">
          {emails.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </AdminSelect>
      </ActPanel>
    ),
    cancel: (
      <ActPanel act="cancel" label="Cancel the order" why={why.cancel} isDanger {...common(order)}>
        <p className="max-w-prose">
          Its units go back into stock, what was reserved is let go, and its customer is told.
        </p>
      </ActPanel>
    ),
    decline: (
      <ActPanel act="decline" label="Decline" why={why.decline} isDanger {...common(order)}>
        <AdminSelect name="reason" label="Reason, as its customer reads it" className="w-full max-w-sm">
          {reasons(DECLINE_REASONS)}
        </AdminSelect>
      </ActPanel>
    ),
  };
  return (
    <div className="grid gap-2.5">
      {Object.entries(panels)
        .filter(([act]) => act !== next)
        .map(([act, panel]) => (
          <div key={act} className="empty:hidden">
            {panel}
          </div>
        ))}
    </div>
  );
}

export function NoteForm({ order }: Props) {
  if (!order.mayNote) return null;
  return (
    <ActPanel act="note" label="Add the note" why={null} {...common(order)} isOpen>
      <AdminArea
        name="text"
        label="Note"
        hint="For staff only. Its customer may ask for a copy of what stands here."
        rows={3}
        className="w-full"
      />
    </ActPanel>
  );
}
