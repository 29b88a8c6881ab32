/** Why an act was not done, in a sentence for whoever pressed the button. */
import { CARRIERS, type CarrierCode } from "../../../../../shop/fulfillment/shipment.ts";
import { formatMoney } from "../../../../../shop/money.ts";
import type { OrderStatus } from "../../../../../shop/orders/lifecycle.ts";

const SENTENCES: Record<string, string> = {
  "not-found": "There is no such order anymore.",
  "on-hold": "It is on hold. Take it off hold first.",
  "under-way": "A parcel waits for its money. Wait for the provider's answer, then try again.",
  "nothing-left": "Nothing of it is left to ship.",
  "not-paid": "Its payment cannot be charged, so it must not ship. Ask for payment.",
  "capture-failed": "The bank refused the charge, so it must not ship. Its customer has a link to pay again.",
  "units-left": "Not all of it was sent. Ship the rest, or say that it is given up.",
  day: "Choose a day after today, and after the one that was promised before.",
  "unknown-line": "It has no such line anymore.",
  "last-line": "Nothing would be left of it. Cancel or decline the order instead.",
  paid: "It is paid: the money is reserved or charged.",
  provider: "The shop takes no payments.",
  amount: "The amount must be more than nothing.",
  "nothing-paid": "Nothing was charged for it.",
  disputed: "Its customer disputes the payment with the bank: nothing is refunded until that is decided.",
  limit: "Your role gives back no more of it today. Ask a manager or an owner.",
  meanwhile: "Somebody else was faster. Look at what is different now, then do it again if it is still right.",
};

type Refusal = { reason: string; status?: OrderStatus; leftCents?: number; name?: string; unitsLeft?: number };

/** `parcel` is what was to be sent. */
export function refusalWords(refusal: Refusal, parcel?: { carrier: CarrierCode }): string {
  const { reason, status, leftCents, name, unitsLeft } = refusal;
  if (status) return `It is ${status}, so that cannot be done.`;
  if (reason === "tracking-number" && parcel) {
    const { name: carrier, example } = CARRIERS[parcel.carrier];
    return `That is no tracking number of ${carrier}. One looks like ${example}.`;
  }
  if (reason === "units") {
    return name ? `Of ${name} only ${unitsLeft} are left to ship.` : "It does not have that many units.";
  }
  if (leftCents !== undefined && reason === "too-much") return `Only ${formatMoney(leftCents)} is left to refund.`;
  if (leftCents !== undefined && reason === "under-way") {
    return `Another refund is under way, after which ${formatMoney(leftCents)} is left.`;
  }
  return SENTENCES[reason] ?? "That was refused.";
}
