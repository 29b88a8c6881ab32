/** Snapshots of payments from PayPal's orders, with their authorizations, captures and refunds. */
import { z } from "#shop/zod.ts";
import type { PaymentSnapshot, ProviderRefund } from "../provider.ts";
import { moneySchema } from "./paypal-money.ts";

const moved = { id: z.string(), status: z.string(), amount: moneySchema };

export const orderSchema = z.object({
  id: z.string(),
  status: z.string(),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
  purchase_units: z
    .array(
      z.object({
        amount: moneySchema,
        payments: z
          .object({
            authorizations: z
              .array(z.object({ ...moved, create_time: z.coerce.date(), expiration_time: z.coerce.date().optional() }))
              .default([]),
            captures: z.array(z.object(moved)).default([]),
            refunds: z.array(z.object({ ...moved, custom_id: z.string().optional() })).default([]),
          })
          .prefault({}),
      }),
    )
    .min(1),
});
export type PayPalOrder = z.output<typeof orderSchema>;

const paymentsOf = (order: PayPalOrder) => order.purchase_units[0]!.payments;

/** The first authorization, which alone can be reauthorized and voided; the reauthorized one is listed beside it. */
export const authorizationOf = (order: PayPalOrder) =>
  paymentsOf(order).authorizations.toSorted((a, b) => a.create_time.getTime() - b.create_time.getTime())[0];

const TAKEN = ["COMPLETED", "PARTIALLY_REFUNDED", "REFUNDED"];
const UNDECIDED = "PENDING";

const capturesOf = (order: PayPalOrder) => {
  const { captures } = paymentsOf(order);
  const taken = captures.filter(({ status }) => TAKEN.includes(status));
  return { taken, latest: taken[0] ?? captures.at(-1) };
};

/** Money is held, and not captured or on its way. */
export function isVoidable(order: PayPalOrder): boolean {
  const { latest } = capturesOf(order);
  const isHeld = ["CREATED", UNDECIDED].includes(authorizationOf(order)?.status ?? "");
  return isHeld && (latest === undefined || isDeclined(latest));
}

const isDeclined = ({ status }: { status: string }) => !TAKEN.includes(status) && status !== UNDECIDED;

function stateOf(order: PayPalOrder, isOpen: boolean): PaymentSnapshot["state"] {
  const { taken, latest } = capturesOf(order);
  if (taken.length > 0) return "captured";
  const authorization = authorizationOf(order);
  if (!authorization) return isOpen ? "open" : "closed";
  const isOver = ["DENIED", "VOIDED"].includes(authorization.status) || (latest && isDeclined(latest));
  return isOver ? "voided" : "authorized";
}

const refundState = (status: string): ProviderRefund["state"] =>
  status === "COMPLETED" ? "done" : status === UNDECIDED ? "pending" : "failed";

const sum = (all: { amount: { cents: number } }[]) => all.reduce((total, { amount }) => total + amount.cents, 0);

type Known = { isOpen: boolean; problem: string | null };

/** `isOpen`: the shop still authorizes what is approved. Disputes are not in the order. */
export function orderSnapshot(order: PayPalOrder, { isOpen, problem }: Known): PaymentSnapshot {
  const { amount } = order.purchase_units[0]!;
  const { refunds } = paymentsOf(order);
  const { taken, latest } = capturesOf(order);
  const authorization = authorizationOf(order);
  return {
    state: stateOf(order, isOpen),
    reference: order.id,
    intentReference: latest?.id ?? authorization?.id ?? null,
    currency: amount.currency,
    amountCents: amount.cents,
    authorizedCents: authorization && authorization.status !== "DENIED" ? authorization.amount.cents : 0,
    capturedCents: sum(taken),
    refundedCents: sum(refunds.filter(({ status }) => status === "COMPLETED")),
    captureBefore: taken.length === 0 ? (authorization?.expiration_time ?? null) : null,
    method: authorization ? { brand: "paypal", lastFour: "", wallet: null } : null,
    saved: null,
    unusedCustomer: null,
    problem,
    dispute: null,
    refunds: refunds.map(({ id, custom_id: actionId, amount: { cents }, status }) => ({
      reference: id,
      actionId: actionId ?? null,
      cents,
      state: refundState(status),
    })),
  };
}
