/** Guests who order continuously, through crashes, and record each answered order. */
import { setTimeout as pause } from "node:timers/promises";
import { address, Visitor } from "./visitor.ts";

const PRODUCTS = ["travel-sleeve", "charging-dock", "ethylene-filter-2-pack"];
const RETRY_MS = 20;

/** `seen` are its lines, as the form of its checkout page had them. */
export type Purchase = { email: string; number: string; seen: string };

export const orderNumber = (html: string) => /\b[0-9a-f]{8}\b(?!-)/.exec(html.split("Order placed!")[1] ?? "")?.[0];

/** `run` makes the buyers' emails unique. */
export function startBuyers(url: string, amount: number, run: string) {
  const purchases: Purchase[] = [];
  /** An unexpected answer, which ends the buyer. */
  const faults: string[] = [];
  let made = 0;
  let isOn = true;

  /** Repeats a request until `read` returns something; 503 and lost answers are retried. */
  async function insist<Found>(
    ask: () => Promise<Response>,
    read: (text: string, status: number) => Found | undefined,
  ) {
    for (;;) {
      try {
        const answer = await ask();
        const found = read(await answer.text(), answer.status);
        if (found !== undefined) return found;
        if (answer.status !== 503) throw new Error(`${answer.url} answered ${answer.status}`);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
      await pause(RETRY_MS);
    }
  }

  async function buy(number: number): Promise<void> {
    const guest = new Visitor(url);
    const email = `buyer-${number}-${run}@example.com`;
    for (const slug of [PRODUCTS[number % 3] ?? "", PRODUCTS[(number + 1) % 3] ?? ""]) {
      const id = await insist(
        () => guest.fetch(`/product/${slug}`),
        (text) => /name="productId" value="([^"]+)"/.exec(text)?.[1],
      );
      await insist(
        () => guest.post("/cart/add", { productId: id, quantity: "1" }, { Accept: "*/*" }),
        (_text, status) => (status === 200 ? true : undefined),
      );
    }
    const fields = await insist(() => guest.fetch("/checkout"), hiddenFields);
    const order = () => insist(() => guest.post("/checkout", { ...address, ...fields, email }), orderNumber);
    const placed = await order();
    purchases.push({ email, number: placed, seen: fields.seen });
    // A repeated submit is the same order.
    const again = await order();
    if (again !== placed) throw new Error(`${email} ordered ${placed} and ${again}`);
  }

  const ended = Promise.all(
    Array.from({ length: amount }, async () => {
      while (isOn) await buy(made++);
    }).map((lane) => lane.catch((error: Error) => void faults.push(error.message))),
  );
  return {
    purchases,
    faults,
    /** Stops each buyer after its current order. */
    async stop() {
      isOn = false;
      await ended;
    },
  };
}

function hiddenFields(html: string): { checkoutKey: string; seen: string } | undefined {
  const field = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? "";
  const fields = { checkoutKey: field("checkoutKey"), seen: field("seen") };
  return fields.seen ? fields : undefined;
}
