/** EasyPost as the provider of carriers, by its HTTP API. A shipment there has one label, which makes buying idempotent. */
import { createHmac } from "node:crypto";
import { isSame } from "#shop/purpose-key.server.ts";
import { z } from "#shop/zod.ts";
import type { CarrierCode, Rate, Tracking } from "#shop/fulfillment/shipment.ts";
import { type Address, CarrierError, type CarrierProvider, type Contact } from "./carrier-provider.ts";

/** EasyPost's own address, and that of its labels. */
export const EASYPOST_ORIGINS = [
  "https://api.easypost.com",
  "https://easypost-files.s3.us-west-2.amazonaws.com",
  "https://easypost-files.s3-us-west-2.amazonaws.com",
];
const TIMEOUT_MS = 20_000;
/** A shopper waits for an address. */
const CHECK_TIMEOUT_MS = 3_000;

/** Carriers by EasyPost's names, its own accounts with UPS and FedEx included. The first is used to track. */
const NAMES: Record<CarrierCode, readonly [string, ...string[]]> = {
  ups: ["UPS", "UPSDAP"],
  usps: ["USPS"],
  fedex: ["FedEx", "FedExDefault"],
  dhl: ["DHLExpress"],
};
const carrierOf = (name: string) =>
  (Object.keys(NAMES) as CarrierCode[]).find((code) => NAMES[code].includes(name)) ?? null;

/** Other statuses say nothing new: pre_transit, unknown, cancelled, error. */
const STATES: Record<string, Tracking["state"]> = {
  in_transit: "in-transit",
  available_for_pickup: "out-for-delivery",
  out_for_delivery: "out-for-delivery",
  delivered: "delivered",
  return_to_sender: "refused",
  failure: "lost",
};

const addressSchema = z.object({
  street1: z.string().nullable(),
  street2: z.string().nullish(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  zip: z.string().nullable(),
  verifications: z.object({ delivery: z.object({ success: z.boolean() }) }),
});
const rateSchema = z.object({
  id: z.string(),
  carrier: z.string(),
  service: z.string(),
  rate: z.string().regex(/^\d+(?:\.\d+)?$/),
  currency: z.string(),
  delivery_days: z.number().nullish(),
});
const shipmentSchema = z.object({
  id: z.string(),
  reference: z.string().nullish(),
  rates: z.array(rateSchema),
  tracking_code: z.string().nullish(),
  postage_label: z.object({ label_url: z.string() }).nullish(),
  refund_status: z.string().nullish(),
});
const trackerSchema = z.object({
  status: z.string(),
  updated_at: z.coerce.date(),
  tracking_details: z.array(z.object({ status: z.string().nullish(), datetime: z.coerce.date() })).nullish(),
});
const eventSchema = z.object({ result: z.object({ object: z.literal("Tracker"), tracking_code: z.string() }) });
const errorSchema = z.object({ error: z.object({ code: z.string() }) });

type Shipment = z.output<typeof shipmentSchema>;

export type EasyPostAccount = {
  apiKey: string;
  /** Null: parcels are asked about, and webhooks refused. */
  webhookSecret: string | null;
  /** Replaces EasyPost's own in tests. */
  apiUrl: string | null;
};

/** `connect` is called with each call, so that a sandbox starts with the first. */
export function easyPost({
  webhookSecret,
  from,
  connect,
}: Pick<EasyPostAccount, "webhookSecret"> & {
  from: () => Contact;
  connect: () => Promise<Pick<EasyPostAccount, "apiKey" | "apiUrl"> & { fetch: typeof globalThis.fetch }>;
}): CarrierProvider {
  async function call<Answer>(
    schema: z.ZodType<Answer>,
    method: "GET" | "POST",
    path: string,
    body?: object,
    timeout = TIMEOUT_MS,
  ): Promise<Answer> {
    let status = 0;
    try {
      const { apiKey, apiUrl, fetch } = await connect();
      const response = await fetch(`${apiUrl ?? EASYPOST_ORIGINS[0]}/v2/${path}`, {
        method,
        headers: { Authorization: `Basic ${btoa(`${apiKey}:`)}`, "Content-Type": "application/json" },
        signal: AbortSignal.timeout(timeout),
        ...(body && { body: JSON.stringify(body) }),
      });
      ({ status } = response);
      const answer: unknown = await response.json();
      if (response.ok) return schema.parse(answer);
      const code = errorSchema.safeParse(answer).data?.error.code ?? String(status);
      // A wrong key says nothing about a parcel, and what came too fast may come again.
      const isRefused = status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
      throw new CarrierError(isRefused ? "refused" : "away", code);
    } catch (error) {
      throw error instanceof CarrierError ? error : new CarrierError("away", String(status), { cause: error });
    }
  }

  const shipmentOf = ({ reference }: Rate) => reference.split("/") as [shipment: string, rate: string];
  const readShipment = (id: string) => call(shipmentSchema, "GET", `shipments/${encodeURIComponent(id)}`);

  return {
    async check(address) {
      const body = { address: shown(address), verify: ["delivery"] };
      const found = await call(addressSchema, "POST", "addresses", body, CHECK_TIMEOUT_MS);
      const { street1: line1, street2, city, state, zip: postalCode, verifications } = found;
      if (!verifications.delivery.success || !line1 || !city || !state || !postalCode) return null;
      return { line1, line2: street2 ?? "", city, state, postalCode };
    },
    async rates({ to, inches: [length, width, height], ounces: weight }, key) {
      const shipment = await call(shipmentSchema, "POST", "shipments", {
        shipment: {
          reference: key,
          to_address: { ...shown(to), name: to.name, phone: to.phone },
          from_address: { ...shown(from()), name: from().name, phone: from().phone },
          parcel: { length, width, height, weight },
          options: { label_format: "PNG", label_size: "4x6" },
        },
      });
      return ratesOf(shipment);
    },
    async buy(rate, key) {
      const [id, rateId] = shipmentOf(rate);
      const before = await readShipment(id);
      if (before.reference !== key) throw new CarrierError("refused", "another-label");
      if (before.postage_label) return labelOf(before);
      const bought = await call(shipmentSchema, "POST", `shipments/${id}/buy`, { rate: { id: rateId } }).catch(
        async (error: unknown) => {
          // Another process was faster, or the answer to an earlier call was lost.
          const now = error instanceof CarrierError && error.kind === "refused" ? await readShipment(id) : null;
          if (now?.postage_label) return now;
          throw error;
        },
      );
      return labelOf(bought);
    },
    async void(rate) {
      const [id] = shipmentOf(rate);
      if ((await readShipment(id)).refund_status) return;
      await call(shipmentSchema, "POST", `shipments/${id}/refund`);
    },
    async track(carrier, trackingNumber) {
      const tracker = { tracking_code: trackingNumber, carrier: NAMES[carrier][0] };
      // EasyPost answers with the tracker that it has, if any.
      const found = await call(trackerSchema, "POST", "trackers", { tracker }).catch((error: unknown) => {
        if (error instanceof CarrierError && error.kind === "refused") return null;
        throw error;
      });
      const state = found && STATES[found.status];
      if (!state) return null;
      const scan = found.tracking_details?.findLast(({ status }) => status === found.status);
      return { state, at: scan?.datetime ?? found.updated_at };
    },
    looksSigned: (headers) => /^hmac-sha256-hex=[0-9a-f]{64}$/.test(headers.get("X-Hmac-Signature") ?? ""),
    verify(headers, body) {
      if (webhookSecret === null) return null;
      const own = createHmac("sha256", webhookSecret.normalize("NFKD")).update(body).digest("hex");
      if (!isSame(`hmac-sha256-hex=${own}`, headers.get("X-Hmac-Signature") ?? "")) return null;
      const event = eventSchema.safeParse(jsonOf(body));
      return event.success ? { trackingNumber: event.data.result.tracking_code } : { trackingNumber: "" };
    },
    async print(url) {
      const { fetch } = await connect();
      const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) => {
        throw new CarrierError("away", "label", { cause: error });
      });
      if (!response.ok) throw new CarrierError("away", String(response.status));
      const type = response.headers.get("Content-Type") ?? "image/png";
      return { type, bytes: new Uint8Array(await response.arrayBuffer()) };
    },
  };
}

const shown = ({ line1, line2, city, state, postalCode }: Address) => ({
  street1: line1,
  street2: line2,
  city,
  state,
  zip: postalCode,
  country: "US",
});

/** "GroundAdvantage" as "Ground Advantage", "FEDEX_2_DAY" as "2 Day": the carrier's name stands before it. */
const serviceWords = (service: string): string =>
  service
    .replace(/^(?:fedex|ups|usps|dhl)_/i, "")
    .replaceAll("_", " ")
    .replaceAll(/\b[A-Z]{3,}\b/g, (word) => word[0] + word.slice(1).toLowerCase())
    .replaceAll(/(?<=[a-z])(?=[A-Z0-9])/g, " ");

const ratesOf = ({ id, rates }: Shipment): Rate[] =>
  rates.flatMap(({ id: rateId, carrier: name, service, rate, currency, delivery_days: days }) => {
    const carrier = carrierOf(name);
    if (!carrier || currency !== "USD") return [];
    const words = serviceWords(service);
    const cents = Math.round(Number(rate) * 100);
    return [{ reference: `${id}/${rateId}`, carrier, service: words, cents, days: days ?? null }];
  });

function labelOf({ tracking_code: trackingNumber, postage_label: label }: Shipment) {
  if (!trackingNumber || !label) throw new CarrierError("away", "no-label");
  return { trackingNumber, url: label.label_url };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
