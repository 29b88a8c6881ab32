/** What the demo writes, as rows by table, and what each payment went through at its provider. */
import type { PaymentMethod } from "../../shop/payments/provider.ts";

export type Row = Record<string, string | number | boolean | Date | object | null>;

export type KeyedRow = Row & { id: string };

/** What the provider is told of a payment, in order. */
export type ProviderStep = { at: Date } & (
  | { does: "pay"; cardNumber: string }
  | { does: "capture"; cents: number }
  | { does: "refund"; cents: number; actionId: string }
  | { does: "void" | "close" | "dispute" }
);

/** A payment as the shop has it; its provider's names of it are filled in last. */
export type PaymentRow = KeyedRow & {
  order_id: string;
  amount: number;
  created_at: Date;
  method: PaymentMethod | null;
};

export type DemoPayment = {
  row: PaymentRow;
  email: string;
  name: string;
  postalCode: string;
  lines: { name: string; price: number; quantity: number }[];
  shippingCents: number;
  steps: ProviderStep[];
};

export type OrderRows = {
  orders: KeyedRow[];
  order_items: Row[];
  order_events: Row[];
  payment_actions: KeyedRow[];
  shipments: Row[];
  shipment_items: Row[];
  payments: DemoPayment[];
};

export const noRows = (): OrderRows => ({
  orders: [],
  order_items: [],
  order_events: [],
  payment_actions: [],
  shipments: [],
  shipment_items: [],
  payments: [],
});
