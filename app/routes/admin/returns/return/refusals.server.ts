/** Words of refusals of acts on a return. */
import { refusalWords } from "../../orders/order/on-order.server.ts";

const SENTENCES: Record<string, string> = {
  "not-found": "This return no longer exists.",
  "sold-out": "What would be sent is sold out. Restock it, or choose another outcome.",
  "tax-unknown": "The tax provider is not responding. Try again in a minute.",
  astray: "Its package was refused or lost. Record on the order that it is back.",
  "not-a-repair": "Only repairs have a fee and a price, one of each.",
  asked: "The fee was requested before.",
  lines: "Choose a condition for each item. What stays the customer’s cannot be restocked.",
  outcome: "Choose an outcome",
  "nothing-due": "The customer has nothing to pay.",
  meanwhile: "The amount has changed. Check it, and try again.",
  "no-part": "Choose the part",
  "no-replacement": "Nothing is set aside for this exchange. Choose another outcome.",
  "given-back": "Its price was already refunded, so it gets no replacement, part, or free repair.",
  "no-label-owed": "The customer pays for return shipping.",
  quote: "The customer has not agreed to the price yet.",
};

export const whyNot = (refusal: { reason: string }): string => SENTENCES[refusal.reason] ?? refusalWords(refusal);
