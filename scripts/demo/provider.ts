/** What the payment sandbox would hold of the demo's payments, so that they can be charged and refunded there. */
import { newPayment } from "../../server/payment-sandbox/api/session-params.ts";
import { pay } from "../../server/payment-sandbox/lifecycle/attempts.ts";
import { cancel, capture } from "../../server/payment-sandbox/lifecycle/captures.ts";
import { openDispute } from "../../server/payment-sandbox/lifecycle/disputes.ts";
import { dueAt, expire, settleDue } from "../../server/payment-sandbox/lifecycle/due.ts";
import { refund } from "../../server/payment-sandbox/lifecycle/refunds.ts";
import { objectsOf, paidCharge, type Payment, type Work } from "../../server/payment-sandbox/payment.ts";
import { parentsOf, sumsOf } from "../../server/payment-sandbox/store.ts";
import { orderNumber, orderPath } from "../../shop/orders/order.ts";
import { PAGE_MINUTES } from "../../shop/payments/page/open-page.server.ts";
import type { DemoPayment, KeyedRow, ProviderStep, Row } from "./rows.ts";

const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
const CURRENCY = "usd" as const;

function begin({ row, email, lines, shippingCents }: DemoPayment, baseUrl: string): Payment {
  const line = (name: string, unitAmount: number, quantity: number) => ({
    price_data: { currency: CURRENCY, product_data: { name }, unit_amount: unitAmount },
    quantity,
  });
  const back = baseUrl + orderPath(row.order_id);
  const created = seconds(row.created_at);
  return newPayment(
    {
      mode: "payment",
      line_items: [
        ...lines.map(({ name, price, quantity }) => line(name, price, quantity)),
        ...(shippingCents > 0 ? [line("Shipping", shippingCents, 1)] : []),
      ],
      payment_intent_data: {
        capture_method: "manual",
        metadata: { payment_id: row.id, order_number: orderNumber(row.order_id) },
      },
      client_reference_id: row.id,
      customer_email: email,
      expires_at: created + PAGE_MINUTES * 60,
      success_url: back,
      cancel_url: back,
      adaptive_pricing: { enabled: false },
    },
    created,
    (id) => `${baseUrl}/payment-sandbox/pay/${id}`,
  );
}

/** `actions` are the shop's own rows, which learn the provider's name of a refund. */
function take(work: Work, step: ProviderStep, { name, postalCode }: DemoPayment, actions: Map<string, Row>): void {
  const { payment } = work;
  const { intent } = payment;
  const charge = paidCharge(payment);
  if (step.does === "pay") {
    const payer = { name, postalCode, cardNumber: step.cardNumber, expMonth: 12, expYear: 2034, wallet: null };
    pay(work, payer, "");
  } else if (step.does === "close") expire(work);
  else if (step.does === "void" && intent) cancel(work, intent, null);
  else if (step.does === "capture" && intent) capture(work, intent, step.cents);
  else if (step.does === "dispute" && charge) openDispute(work, charge);
  else if (step.does === "refund") {
    const made = refund(work, { amount: step.cents, metadata: { action_id: step.actionId } });
    actions.get(step.actionId)!.provider_reference = made.id;
  }
}

/** The sandbox's rows of these payments. What the provider names is written into the shop's own rows. */
export function askProvider(payments: DemoPayment[], paymentActions: KeyedRow[], baseUrl: string, now: Date) {
  const actions = new Map(paymentActions.map((action) => [action.id, action]));
  const states: Row[] = [];
  const objects: Row[] = [];
  for (const demo of payments) {
    const payment = begin(demo, baseUrl);
    for (const step of demo.steps) {
      const work: Work = { payment, now: seconds(step.at), events: [] };
      settleDue(work);
      take(work, step, demo, actions);
    }
    settleDue({ payment, now: seconds(now), events: [] });
    const { session, intent, disputes } = payment;
    const dueBy = disputes.find(({ status }) => status === "needs_response")?.evidence_details.due_by;
    Object.assign(demo.row, {
      reference: session.id,
      intent_reference: intent?.id ?? null,
      url: session.url,
      disputed_until: dueBy ? new Date(dueBy * 1000) : null,
    });
    const due = dueAt(payment);
    states.push({
      id: session.id,
      state: payment,
      due_at: due === null ? null : new Date(due * 1000),
      amount: demo.row.amount,
      ...sumsOf(payment),
    });
    for (const object of objectsOf(payment)) {
      const created = new Date(object.created * 1000);
      objects.push({ id: object.id, payment_id: session.id, kind: object.object, created, parents: parentsOf(object) });
    }
  }
  return { states, objects };
}
