/** Writes down what happens to one order as the shop writes it: status and event together, a row before money moves. */
import { cartTotals } from "../../shop/cart/totals.ts";
import type { RefundReason } from "../../shop/fulfillment/reasons.ts";
import { amountsCharged, unitsKept } from "../../shop/orders/charge.ts";
import {
  statusAfter,
  type OrderActor,
  type OrderEvent,
  type OrderStatus,
  type OrderTransition,
} from "../../shop/orders/lifecycle.ts";
import { PAGE_MINUTES } from "../../shop/payments/page/open-page.server.ts";
import { paymentPolicy } from "../../shop/policies.ts";
import type { ShippingMethod } from "../../shop/shipping/methods.ts";
import type { Chance } from "./chance.ts";
import type { Person } from "./people.ts";
import type { DemoPayment, OrderRows, ProviderStep, Row } from "./rows.ts";

export type Line = { productId: string; name: string; price: number; quantity: number };
export type Placed = {
  at: Date;
  person: Person;
  lines: Line[];
  method: ShippingMethod;
  utmSource: string | null;
  utmCampaign: string | null;
};
export type Item = Line & { id: string; canceledQuantity: number };

export const MINUTE = 60_000;
export const later = (from: Date, ms: number) => new Date(from.getTime() + ms);
/** How long the provider takes for an answer. */
const ANSWER_MS = 2_000;

export class OrderBook {
  readonly id: string;
  readonly items: Item[];
  readonly payment: DemoPayment["row"];
  readonly buyer: "customer" | "guest";
  /** Columns of the order that change. */
  readonly order: Row;
  private readonly rows: OrderRows;
  private readonly placed: Placed;
  private readonly random: Chance;
  private readonly totals: ReturnType<typeof cartTotals>;
  private readonly steps: ProviderStep[] = [];
  private status: OrderStatus = "unpaid";

  constructor(rows: OrderRows, placed: Placed, random: Chance, now: Date) {
    const { at, lines, method, person } = placed;
    this.rows = rows;
    this.placed = placed;
    this.random = random;
    this.id = random.uuid();
    this.items = lines.map((line) => ({ ...line, id: random.uuid(), canceledQuantity: 0 }));
    this.buyer = person.userId ? "customer" : "guest";
    this.totals = cartTotals(
      lines.map(({ price, quantity }) => ({ unitPriceCents: price, quantity })),
      method,
    );
    this.order = {
      hold_until: later(at, paymentPolicy.holdMinutes * MINUTE),
      accepted_at: null,
      delivered_at: null,
      ships_by: null,
    };
    this.payment = {
      id: random.uuid(),
      order_id: this.id,
      provider: "stripe",
      state: "open",
      amount: this.totals.totalCents,
      authorized: 0,
      captured: 0,
      refunded: 0,
      capture_before: null,
      expires_at: later(at, PAGE_MINUTES * MINUTE),
      method: null,
      problem: null,
      disputed_until: null,
      read_at: now,
      created_at: at,
    };
    this.move("held", this.buyer, at);
  }

  /** An event that leaves the status. */
  note(type: OrderEvent, actor: OrderActor, at: Date, data: object | null = null): void {
    const { id: order_id, status } = this;
    this.rows.order_events.push({ order_id, type, from_status: status, to_status: status, actor, at, data });
  }

  move(type: OrderTransition, actor: OrderActor, at: Date, data: object | null = null): void {
    const from_status = type === "held" ? null : this.status;
    this.status = statusAfter(type);
    if (this.status !== "unpaid") this.order.hold_until = null;
    this.rows.order_events.push({ order_id: this.id, type, from_status, to_status: this.status, actor, at, data });
  }

  /** What happens at the provider. */
  step(step: ProviderStep): void {
    this.steps.push(step);
  }

  private act(kind: "capture" | "void" | "refund", amount: number, at: Date, more: Row = {}): string {
    const id = this.random.uuid();
    this.rows.payment_actions.push({
      id,
      payment_id: this.payment.id,
      kind,
      amount,
      state: "done",
      asked_by: "staff",
      reason: null,
      problem: null,
      provider_reference: null,
      created_at: at,
      sent_at: at,
      done_at: later(at, ANSWER_MS),
      ...more,
    });
    return id;
  }

  giveBack(at: Date, askedBy: "customer" | "guest" | "staff" | "system"): void {
    this.act("void", 0, at, { asked_by: askedBy });
    this.step({ at, does: "void" });
    const actor = askedBy === "staff" ? "staff" : "system";
    this.note("payment-voided", actor, later(at, ANSWER_MS), { paymentId: this.payment.id });
  }

  /** What is charged by now, in cents. */
  charged(): number {
    const lines = this.items.map(({ price, ...line }) => ({ ...line, priceCents: price }));
    return amountsCharged(this.totals, lines).totalCents;
  }

  capture(at: Date, problem: string | null = null): string {
    const cents = this.charged();
    const captureId = this.act("capture", cents, at, problem ? { state: "failed", problem } : {});
    Object.assign(this.payment, problem ? { state: "failed", problem } : { state: "captured", captured: cents });
    if (!problem) this.step({ at, does: "capture", cents });
    return captureId;
  }

  refund(cents: number, reason: RefundReason, at: Date, { fails = false } = {}): void {
    const actionId = this.act("refund", cents, at, { reason, state: fails ? "failed" : "done" });
    this.step({ at, does: "refund", cents, actionId });
    this.note("refunded", "staff", later(at, ANSWER_MS), { cents, reason, actionId });
    if (fails) this.note("refund-failed", "provider", later(at, 2 * MINUTE), { cents, actionId });
    else this.payment.refunded = cents;
  }

  /** A parcel with these lines; it has arrived where `arrivedAt` says when. */
  parcel(
    items: Item[],
    at: Date,
    {
      captureId = null,
      arrivedAt = null,
      failed = false,
    }: { captureId?: string | null; arrivedAt?: Date | null; failed?: boolean },
  ): string {
    const { random } = this;
    const id = random.uuid();
    const carrier = random.weighted([
      ["ups", 6],
      ["usps", 3],
      ["fedex", 1],
    ] as const);
    const [before, digits] = ({ ups: ["1Z", 16], usps: ["94", 20], fedex: ["", 12] } as const)[carrier];
    this.rows.shipments.push({
      id,
      order_id: this.id,
      carrier,
      tracking_number: before + random.digits(digits),
      state: failed ? "failed" : arrivedAt ? "delivered" : "shipped",
      capture_id: captureId,
      created_at: at,
      shipped_at: failed ? null : at,
      delivered_at: arrivedAt,
    });
    for (const item of items.filter((each) => unitsKept(each) > 0)) {
      this.rows.shipment_items.push({ shipment_id: id, order_item_id: item.id, quantity: unitsKept(item) });
    }
    return id;
  }

  /** Writes the order as it stands at last. */
  close(): void {
    const { rows, placed, totals, status } = this;
    const { person } = placed;
    for (const item of this.items) {
      const { id, productId: product_id, name, price, quantity, canceledQuantity: canceled_quantity } = item;
      const line = { id, order_id: this.id, product_id, name, price, quantity, canceled_quantity };
      rows.order_items.push({ ...line, created_at: placed.at });
    }
    rows.payments.push({
      row: this.payment,
      email: person.email,
      name: `${person.firstName} ${person.lastName}`,
      postalCode: person.postalCode,
      lines: placed.lines,
      shippingCents: totals.shippingCents,
      steps: this.steps,
    });
    rows.orders.push({
      id: this.id,
      checkout_key: this.random.uuid(),
      user_id: person.userId,
      session_id: person.userId ? null : this.random.uuid(),
      status,
      subtotal: totals.subtotalCents,
      shipping: totals.shippingCents,
      tax: totals.taxCents,
      total: totals.totalCents,
      email: person.email,
      phone: person.phone,
      shipping_first_name: person.firstName,
      shipping_last_name: person.lastName,
      shipping_address_line1: person.line1,
      shipping_address_line2: person.line2,
      shipping_city: person.city,
      shipping_state: person.state,
      shipping_postal_code: person.postalCode,
      shipping_country: "US",
      shipping_method: placed.method,
      save_information: false,
      utm_source: placed.utmSource,
      utm_campaign: placed.utmCampaign,
      created_at: placed.at,
      link_version: 1,
      ...this.order,
    });
  }
}
