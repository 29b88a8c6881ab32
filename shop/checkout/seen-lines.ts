/** The lines that the shopper saw when placing an order: the server compares them with the cart and never trusts them. */
import type { CartLine } from "../cart/cart.ts";
import { MAX_LINE_QUANTITY } from "../catalog/stock.ts";

export type SeenLine = { productId: string; quantity: number; unitPriceCents: number };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MAX_LINES = 200;

/** The lines as one form field: "id:quantity:cents" joined by commas. */
export function formatSeenLines(
  lines: ReadonlyArray<Pick<CartLine, "productId" | "quantity" | "unitPriceCents">>,
): string {
  return lines.map((line) => `${line.productId}:${line.quantity}:${line.unitPriceCents}`).join(",");
}

/** Reads that field back; what is not such a line, or stands twice, is left out. */
export function parseSeenLines(text: string): SeenLine[] {
  const seen = new Map<string, SeenLine>();
  for (const part of text.split(",", MAX_LINES)) {
    const [productId = "", quantity, cents] = part.split(":");
    const line = { productId, quantity: Number(quantity), unitPriceCents: Number(cents) };
    const isLine =
      UUID.test(productId) &&
      Number.isInteger(line.quantity) &&
      line.quantity >= 1 &&
      line.quantity <= MAX_LINE_QUANTITY &&
      Number.isInteger(line.unitPriceCents) &&
      line.unitPriceCents >= 0 &&
      line.unitPriceCents < 1e8;
    if (isLine) seen.set(productId, line);
  }
  return [...seen.values()];
}
