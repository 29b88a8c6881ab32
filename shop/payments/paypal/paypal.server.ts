/** PayPal's Orders v2 as the payment provider: authorized once its page is approved, captured when the order ships. */
import { brand } from "#shop/brand.ts";
import { clock } from "#shop/clock.ts";
import { z } from "#shop/zod.ts";
import {
  ProviderError,
  type MoneyMoved,
  type PaymentOrder,
  type PaymentProvider,
  type PaymentReference,
  type PaymentSnapshot,
  type ProviderEvent,
} from "../provider.ts";
import { payPalClient, refusalOf, type PayPalConnect } from "./paypal-client.server.ts";
import { moneySchema, payPalMoney } from "./paypal-money.ts";
import { authorizationOf, isVoidable, orderSchema, orderSnapshot, type PayPalOrder } from "./paypal-snapshot.ts";

/** The honor period: the funds are reserved so long, then reauthorized (developer.paypal.com/payment-methods/auth-honor). */
const HONOR_MS = 3 * 86_400_000;
const MAX_NAME = 127;
const PAGE_OF_EVENTS = 100;

const made = z.object({ id: z.string() });
const nothing = z.object({});
const disputesSchema = z.object({
  items: z
    .array(
      z.object({
        dispute_id: z.string(),
        status: z.string(),
        create_time: z.coerce.date(),
        seller_response_due_date: z.coerce.date().optional(),
      }),
    )
    .default([]),
});
/** Outcomes for which the merchant pays. */
const LOST = ["RESOLVED_BUYER_FAVOUR", "ACCEPTED"];
const endSchema = z.object({
  dispute_amount: moneySchema,
  dispute_outcome: z.object({ outcome_code: z.string(), amount_refunded: moneySchema.optional() }).optional(),
});
const eventSchema = z.object({
  id: z.string(),
  event_type: z.string(),
  resource: z.object({
    id: z.string().optional(),
    supplementary_data: z.object({ related_ids: z.object({ order_id: z.string().optional() }).optional() }).optional(),
    disputed_transactions: z.array(z.object({ seller_transaction_id: z.string().optional() })).optional(),
    links: z.array(z.object({ rel: z.string(), href: z.string() })).optional(),
  }),
});
const eventsSchema = z.object({
  events: z.array(eventSchema).default([]),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
});
const SIGNED = {
  auth_algo: "PAYPAL-AUTH-ALGO",
  cert_url: "PAYPAL-CERT-URL",
  transmission_id: "PAYPAL-TRANSMISSION-ID",
  transmission_sig: "PAYPAL-TRANSMISSION-SIG",
  transmission_time: "PAYPAL-TRANSMISSION-TIME",
};

/** PayPal sends an event that was not taken again, and the shop asks for those it missed. */
const MAX_TRANSMISSION_MS = 10 * 60_000;
const HEADERS = z.object({
  auth_algo: z.literal("SHA256withRSA"),
  cert_url: z.url({ protocol: /^https$/, hostname: /(?:^|\.)paypal\.com$/ }),
  transmission_id: z.string().max(100),
  transmission_sig: z.base64().max(1000),
  transmission_time: z.coerce.date(),
});
/** Events whose signature PayPal is asked about at once; its other calls move money. */
const MAX_VERIFYING = 8;

const signedHeaders = (headers: Headers) =>
  Object.fromEntries(Object.entries(SIGNED).map(([name, header]) => [name, headers.get(header)]));

function looksSigned(headers: Headers): boolean {
  const { data } = HEADERS.safeParse(signedHeaders(headers));
  if (!data) return false;
  return Math.abs(clock.now().getTime() - data.transmission_time.getTime()) <= MAX_TRANSMISSION_MS;
}

const FORGOTTEN = "FORGOTTEN";

/** Stands for an order that nobody approved in time, which PayPal no longer knows. */
const forgotten = (id: string): PayPalOrder =>
  orderSchema.parse({ id, status: FORGOTTEN, purchase_units: [{ amount: payPalMoney(0) }] });

export function payPalProvider(pageOrigin: string, connect: PayPalConnect): PaymentProvider {
  const call = payPalClient(connect);
  let verifying = 0;

  const find = ({ reference, intentReference }: PaymentReference): Promise<PayPalOrder> =>
    call("GET", `/v2/checkout/orders/${reference}`, orderSchema).catch((error: unknown) => {
      if (refusalOf(error)?.status === 404 && !intentReference) return forgotten(reference);
      throw error;
    });

  /**
   * PayPal's page only approves: the first to read the approval authorizes it. Without a key, since an order is
   * authorized once, and a key would repeat a refusal after the buyer has chosen another way to pay at PayPal.
   */
  async function complete(payment: PaymentReference): Promise<{ order: PayPalOrder; problem: string | null }> {
    const order = await find(payment);
    if (order.status !== "APPROVED" || !payment.url) return { order, problem: null };
    const problem = await call("POST", `/v2/checkout/orders/${order.id}/authorize`, nothing).then(() => null, issueOf);
    return { order: await find(payment), problem };
  }

  async function shown(order: PayPalOrder, isOpen: boolean, problem: string | null = null): Promise<PaymentSnapshot> {
    const snapshot = orderSnapshot(order, { isOpen: isOpen && order.status !== FORGOTTEN, problem });
    if (snapshot.capturedCents === 0) return snapshot;
    return { ...snapshot, dispute: await disputeOf(snapshot) };
  }

  /** PayPal lists disputes without how they ended. What was refunded with one is among the refunds. */
  async function disputeOf({ intentReference: captureId, capturedCents, refundedCents }: PaymentSnapshot) {
    const path = `/v1/customer/disputes?disputed_transaction_id=${captureId ?? ""}`;
    const { items } = await call("GET", path, disputesSchema).catch((error: unknown) => {
      // The merchant's app may not read disputes; captures and refunds go on.
      if (refusalOf(error)?.status === 403) return { items: [] };
      throw error;
    });
    const open = items.find(({ status }) => status !== "RESOLVED");
    if (open) return { state: "open", until: open.seller_response_due_date ?? open.create_time } as const;
    let lostCents = 0;
    for (const { dispute_id: id } of items) {
      const { dispute_amount: amount, dispute_outcome: end } = await call(
        "GET",
        `/v1/customer/disputes/${id}`,
        endSchema,
      );
      if (LOST.includes(end?.outcome_code ?? "")) lostCents += (end?.amount_refunded ?? amount).cents;
    }
    if (lostCents > 0) return { state: "lost", cents: Math.min(lostCents, capturedCents - refundedCents) } as const;
    return items.length > 0 ? ({ state: "won" } as const) : null;
  }

  /** A refused reauthorization leaves the first authorization, which may still be captured. */
  async function honoredAuthorization(order: PayPalOrder, cents: number, key: string): Promise<string> {
    const authorization = authorizationOf(order);
    if (!authorization) throw new ProviderError("refused");
    const { id, create_time: since } = authorization;
    if (clock.now().getTime() - since.getTime() < HONOR_MS) return id;
    const reauthorized = call("POST", `/v2/payments/authorizations/${id}/reauthorize`, made, {
      key: `${key}:reauthorize`,
      body: { amount: payPalMoney(cents) },
    });
    return (await refusable(reauthorized))?.id ?? id;
  }

  return {
    name: "paypal",
    pageOrigin,
    async open(order) {
      const body = orderBody(order);
      const { id, links } = await call("POST", "/v2/checkout/orders", orderSchema, { key: order.paymentId, body });
      const page = links.find(({ rel }) => rel === "payer-action" || rel === "approve");
      if (!page) throw new ProviderError("fault");
      return { reference: id, url: page.href, expiresAt: order.expiresAt };
    },
    async read(payment) {
      const { order, problem } = await complete(payment);
      return shown(order, Boolean(payment.url), problem);
    },
    /** PayPal cannot close a page; the shop stops authorizing what is approved there. */
    async close(payment, { voids } = { voids: false }) {
      const { order } = await complete(payment);
      if (!voids || !isVoidable(order)) return shown(order, false);
      const id = authorizationOf(order)?.id ?? "";
      // A refusal means that it was voided or captured in between.
      await refusable(call("POST", `/v2/payments/authorizations/${id}/void`, nothing));
      return shown(await find(payment), false);
    },
    capture: (payment, cents, key) =>
      movedBy(async () => {
        const id = await honoredAuthorization(await find(payment), cents, key);
        // The rest of the amount is released.
        const body = { amount: payPalMoney(cents), final_capture: true };
        return call("POST", `/v2/payments/authorizations/${id}/capture`, made, { key, body });
      }),
    refund: ({ intentReference: id }, cents, key, actionId) =>
      movedBy(() => {
        const body = { amount: payPalMoney(cents), custom_id: actionId };
        return call("POST", `/v2/payments/captures/${id}/refund`, made, { key, body });
      }),
    // PayPal keeps no cards for the shop.
    charge: savesNothing,
    findCharge: savesNothing,
    forget: savesNothing,
    looksSigned,
    async verify(headers, body) {
      const event = eventIn(body);
      const { webhookId } = await connect();
      if (!webhookId || !event || !looksSigned(headers)) return null;
      if (verifying >= MAX_VERIFYING) throw new ProviderError("busy");
      const asked = JSON.stringify({ ...signedHeaders(headers), webhook_id: webhookId }).slice(0, -1);
      verifying++;
      const answer = await refusable(
        call("POST", "/v1/notifications/verify-webhook-signature", z.object({ verification_status: z.string() }), {
          // The event goes back as it came, since the signature covers its spelling.
          body: `${asked},"webhook_event":${body}}`,
        }),
      ).finally(() => verifying--);
      return answer?.verification_status === "SUCCESS" ? eventOf(event) : null;
    },
    async missed(since) {
      const found: ProviderEvent[] = [];
      const period = { start_time: since.toISOString(), end_time: clock.now().toISOString() };
      let query: string | null = `?${new URLSearchParams({ ...period, page_size: String(PAGE_OF_EVENTS) })}`;
      while (query !== null) {
        const page: z.output<typeof eventsSchema> = await call(
          "GET",
          `/v1/notifications/webhooks-events${query}`,
          eventsSchema,
        );
        found.push(...page.events.map(eventOf));
        const next = page.events.length > 0 && page.links.find(({ rel }) => rel === "next");
        query = next ? new URL(next.href).search : null;
      }
      return found;
    },
  };
}

const savesNothing = () => Promise.reject(new ProviderError("refused"));

function orderBody({ mode, savesFor, paymentId, orderNumber, amountCents, ...order }: PaymentOrder) {
  if (mode === "save" || savesFor) throw new ProviderError("refused");
  const { lines, shippingCents, taxCents, successUrl, cancelUrl } = order;
  const items = lines.map(({ name, unitPriceCents, quantity }) => ({
    name: name.slice(0, MAX_NAME),
    quantity: String(quantity),
    unit_amount: payPalMoney(unitPriceCents),
  }));
  const breakdown = {
    item_total: payPalMoney(lines.reduce((sum, line) => sum + line.unitPriceCents * line.quantity, 0)),
    shipping: payPalMoney(shippingCents),
    tax_total: payPalMoney(taxCents),
  };
  return {
    intent: "AUTHORIZE",
    purchase_units: [
      {
        description: `Order ${orderNumber}`,
        custom_id: paymentId,
        amount: { ...payPalMoney(amountCents), breakdown },
        items,
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          brand_name: brand.name,
          // The address is the shop's, and not sent.
          shipping_preference: "NO_SHIPPING",
          user_action: "PAY_NOW",
          // No e-checks, which take days to be paid.
          payment_method_preference: "IMMEDIATE_PAYMENT_REQUIRED",
          return_url: successUrl,
          cancel_url: cancelUrl,
        },
      },
    },
  };
}

/** PayPal's reason for refusing, in lower case; other failures are thrown. */
function issueOf(error: unknown): string {
  if (!(error instanceof ProviderError) || error.kind !== "refused") throw error;
  return refusalOf(error)?.issue.toLowerCase() ?? "refused";
}

/** Null if PayPal refuses. */
const refusable = <Answer>(asked: Promise<Answer>): Promise<Answer | null> =>
  asked.catch((error: unknown) => {
    issueOf(error);
    return null;
  });

const movedBy = (run: () => Promise<{ id: string }>): Promise<MoneyMoved> =>
  run().then(
    ({ id }) => ({ ok: true, providerReference: id }),
    (error: unknown) => ({ ok: false, problem: issueOf(error) }),
  );

function eventIn(body: string): z.output<typeof eventSchema> | null {
  try {
    return eventSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

/**
 * Events are trusted only for the payment they name; its state is read afresh. A refund names its capture, and a dispute
 * the disputed one.
 */
function eventOf({ id, event_type: type, resource }: z.output<typeof eventSchema>): ProviderEvent {
  const { supplementary_data: more, disputed_transactions: disputed, links } = resource;
  const parent = links
    ?.find(({ rel }) => rel === "up")
    ?.href.split("/")
    .at(-1);
  const reference = more?.related_ids?.order_id ?? disputed?.[0]?.seller_transaction_id ?? parent ?? resource.id ?? id;
  return { eventId: id, type, reference };
}
