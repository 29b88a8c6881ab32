/** People who order and read through nginx, and what they were answered. */
import { Visitor, address } from "../support/visitor.ts";
import { poll } from "./daemons.ts";

export type Order = { key: string; number: string; at: number };

const PATIENCE_MS = 10_000;
const PAUSE_MS = 200;
const PAGES = ["/", "/shop", "/product/travel-sleeve", "/science"];

export class Shoppers {
  readonly orders: Order[] = [];
  /** What was asked each time, and what came of it. */
  readonly failures: string[] = [];
  pagesRead = 0;
  #isOver = false;
  readonly #url: string;
  readonly #people: Promise<void>[];

  constructor(url: string, productIds: string[], { buyers, readers }: { buyers: number; readers: number }) {
    this.#url = url;
    this.#people = [
      ...Array.from({ length: buyers }, (_, i) => this.#buy(productIds, i)),
      ...Array.from({ length: readers }, (_, i) => this.#read(i)),
    ];
  }

  async leave(): Promise<void> {
    this.#isOver = true;
    let areGone = false;
    void Promise.all(this.#people).then(() => (areGone = true));
    await poll("everybody is answered", async () => areGone);
  }

  async #buy(productIds: string[], first: number): Promise<void> {
    for (let i = first; !this.#isOver; i++) {
      const guest = new Visitor(this.#url);
      const post = (path: string, fields: Record<string, string>) => ({
        path,
        init: {
          method: "POST",
          body: new URLSearchParams(fields),
          headers: { Origin: this.#url, Accept: "text/html" },
        },
      });
      const productId = productIds[i % productIds.length] ?? "";
      await this.#insist(guest, post("/cart/add", { productId, quantity: "1" }));
      const page = await this.#insist(guest, { path: "/checkout" });
      const field = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(page)?.[1] ?? "";
      const key = field("checkoutKey");
      if (!key) {
        this.failures.push("GET /checkout: the cart is empty, because adding to it failed");
        continue;
      }
      const form = { ...address, email: `${key}@example.com`, checkoutKey: key, seen: field("seen") };
      // The same form again, with the same key, for as long as nobody has answered it.
      const answer = await this.#insist(guest, post("/checkout", form));
      const number = /\b[0-9a-f]{8}\b(?!-)/.exec(answer.split("Order placed!")[1] ?? "")?.[0];
      if (number) this.orders.push({ key, number, at: performance.now() });
      else this.failures.push("POST /checkout: an answer without an order");
    }
  }

  async #read(first: number): Promise<void> {
    for (let i = first; !this.#isOver; i++) {
      await this.#insist(new Visitor(this.#url), { path: PAGES[i % PAGES.length] ?? "/" });
      this.pagesRead++;
    }
  }

  /** Sends until it is answered, and counts each time that it was not. */
  async #insist(visitor: Visitor, { path, init = {} }: { path: string; init?: RequestInit }): Promise<string> {
    for (;;) {
      const failure = await visitor
        .fetch(path, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) })
        .then(async (response) => {
          const text = await response.text();
          return response.status < 400 ? { text } : `${response.status}`;
        })
        .catch((error: Error) => String((error.cause as { code?: string } | undefined)?.code ?? error.name));
      if (typeof failure !== "string") return failure.text;
      this.failures.push(`${init.method ?? "GET"} ${path}: ${failure}`);
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  }
}
