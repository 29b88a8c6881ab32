/** Buyers and readers who connect through nginx, and the responses they get. */
import { Visitor, address } from "../support/visitor.ts";
import { poll } from "./daemons.ts";

export type Order = { key: string; number: string; at: number };

const PATIENCE_MS = 10_000;
const PAUSE_MS = 200;
const PAGES = ["/", "/shop", "/product/travel-sleeve", "/science"];

export class Shoppers {
  readonly orders: Order[] = [];
  /** Requests and their outcomes. */
  readonly failures: string[] = [];
  pagesRead = 0;
  #isStopped = false;
  readonly #url: string;
  readonly #tasks: Promise<void>[];

  constructor(url: string, productIds: string[], { buyers, readers }: { buyers: number; readers: number }) {
    this.#url = url;
    this.#tasks = [
      ...Array.from({ length: buyers }, (_, i) => this.#buy(productIds, i)),
      ...Array.from({ length: readers }, (_, i) => this.#read(i)),
    ];
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    let areDone = false;
    void Promise.all(this.#tasks).then(() => (areDone = true));
    await poll("everybody is answered", async () => areDone);
  }

  async #buy(productIds: string[], first: number): Promise<void> {
    for (let i = first; !this.#isStopped; i++) {
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
      await this.#retry(guest, post("/cart/add", { productId, quantity: "1" }));
      const page = await this.#retry(guest, { path: "/checkout" });
      const field = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(page)?.[1] ?? "";
      const key = field("checkoutKey");
      if (!key) {
        this.failures.push("GET /checkout: the cart is empty, because adding to it failed");
        continue;
      }
      const form = { ...address, email: `${key}@example.com`, checkoutKey: key, seen: field("seen") };
      // The same form with the same key is repeated until there is a response.
      const answer = await this.#retry(guest, post("/checkout", form));
      const number = /\b[0-9a-f]{8}\b(?!-)/.exec(answer.split("Order placed!")[1] ?? "")?.[0];
      if (number) this.orders.push({ key, number, at: performance.now() });
      else this.failures.push("POST /checkout: an answer without an order");
    }
  }

  async #read(first: number): Promise<void> {
    for (let i = first; !this.#isStopped; i++) {
      await this.#retry(new Visitor(this.#url), { path: PAGES[i % PAGES.length] ?? "/" });
      this.pagesRead++;
    }
  }

  /** Repeats a request until there is a response, and counts the failures. */
  async #retry(visitor: Visitor, { path, init = {} }: { path: string; init?: RequestInit }): Promise<string> {
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
