/** Signatures of PayPal's webhooks, over the same text as PayPal's, with a shared secret in place of a certificate. */
import { crc32 } from "node:zlib";
import { hmac, randomText } from "../stripe/secrets.ts";

export const CLIENT_ID = "payment-sandbox";
export const WEBHOOK_ID = "8PT597110X687430LKGECATA";

type Signed = { id: string; time: string; body: string };

const sign = (secret: string, { id, time, body }: Signed): string =>
  hmac(secret, `${id}|${time}|${WEBHOOK_ID}|${crc32(body)}`, "base64");

/** The headers of a webhook. */
export function payPalSignature(secret: string, body: string, now: Date): Record<string, string> {
  const [id, time] = [randomText(24), now.toISOString()];
  return {
    "PAYPAL-AUTH-ALGO": "SHA256withRSA",
    "PAYPAL-CERT-URL": "https://api.sandbox.paypal.com/v1/notifications/certs/CERT-sandbox",
    "PAYPAL-TRANSMISSION-ID": id,
    "PAYPAL-TRANSMISSION-TIME": time,
    "PAYPAL-TRANSMISSION-SIG": sign(secret, { id, time, body }),
  };
}

type Asked = {
  webhook_id: string;
  webhook_event: object;
  transmission_id: string;
  transmission_time: string;
  transmission_sig: string;
};

export const isSigned = (secret: string, asked: Asked): boolean =>
  asked.webhook_id === WEBHOOK_ID &&
  asked.transmission_sig ===
    sign(secret, {
      id: asked.transmission_id,
      time: asked.transmission_time,
      body: JSON.stringify(asked.webhook_event),
    });
