/** A payment provider in this process, idempotent by key, with faults on demand. */
import {
  ProviderError,
  type MoneyMoved,
  type PaymentProvider,
  type PaymentProviders,
  type PaymentReference,
  type PaymentSnapshot,
  type SavedMethod,
} from "#shop/payments/provider.ts";
import { paymentSnapshot } from "./payment-snapshot.ts";

type Authorization = {
  authorized: number;
  captured: number;
  isVoided: boolean;
  refunds: PaymentSnapshot["refunds"];
  saved: SavedMethod | null;
};
/** `silent`: no answer, and nothing was done. `lost`: it was done, but the answer was lost. */
type Fault = "refuse" | "silent" | "lost";

function stateOf({ authorized, captured, isVoided }: Authorization): PaymentSnapshot["state"] {
  if (authorized === 0) return "saved";
  if (captured > 0) return "captured";
  return isVoided ? "voided" : "authorized";
}

const refunded = ({ refunds }: Authorization) =>
  refunds.reduce((sum, { cents, state }) => sum + (state === "failed" ? 0 : cents), 0);

export class MemoryProvider {
  readonly payments = new Map<string, Authorization>();
  /** Charges of saved cards, by the shop's id of their payment. */
  readonly #charges = new Map<string, string>();
  readonly #answers = new Map<string, MoneyMoved>();
  /** Faults for the next money calls, in turn. */
  faults: Fault[] = [];
  calls = 0;
  /** Customers whose cards were forgotten. */
  readonly forgotten = new Set<string>();

  authorize(reference: string, cents: number, saved: SavedMethod | null = null): void {
    this.payments.set(reference, { authorized: cents, captured: 0, isVoided: false, refunds: [], saved });
  }

  /** A page that has kept a card. */
  keepCard(reference: string, saved: SavedMethod): void {
    this.authorize(reference, 0, saved);
  }

  /** Fails every refund that was done. */
  failRefunds(reference: string): void {
    for (const refund of this.payments.get(reference)?.refunds ?? []) refund.state = "failed";
  }

  sum(): number {
    return [...this.payments.values()].reduce((sum, found) => sum + found.captured - refunded(found), 0);
  }

  #of({ reference }: PaymentReference): Authorization {
    const found = this.payments.get(reference);
    if (!found) throw new ProviderError("refused");
    return found;
  }

  async #move(
    payment: PaymentReference,
    key: string,
    move: (find: () => Authorization) => boolean,
  ): Promise<MoneyMoved> {
    this.calls += 1;
    // Other work runs meanwhile, as with a network.
    await new Promise((done) => setImmediate(done));
    const fault = this.faults.shift();
    if (fault === "silent") throw new ProviderError("away");
    const isMoved = () => fault !== "refuse" && move(() => this.#of(payment));
    const answer: MoneyMoved =
      this.#answers.get(key) ??
      (isMoved() ? { ok: true, providerReference: `moved ${key}` } : { ok: false, problem: "card_declined" });
    this.#answers.set(key, answer);
    if (fault === "lost") throw new ProviderError("away");
    return answer;
  }

  #read(payment: PaymentReference): PaymentSnapshot {
    const found = this.#of(payment);
    return paymentSnapshot({
      state: stateOf(found),
      reference: payment.reference,
      intentReference: payment.intentReference,
      amountCents: found.authorized,
      authorizedCents: found.authorized,
      capturedCents: found.captured,
      refundedCents: refunded(found),
      method: { brand: "visa", lastFour: "4242", wallet: null },
      refunds: found.refunds,
      saved: found.saved,
    });
  }

  get providers(): PaymentProviders {
    return { stripe: this.provider };
  }

  get provider(): PaymentProvider {
    const unused = () => Promise.reject(new Error("not asked in these tests"));
    return {
      name: "stripe",
      pageOrigin: "http://localhost",
      open: unused,
      charge: ({ paymentId, saved, amountCents }, key) =>
        this.#move({ reference: paymentId, intentReference: null }, key, () => {
          if (this.forgotten.has(saved.customer)) return false;
          const charge = { authorized: amountCents, captured: amountCents, isVoided: false, refunds: [], saved: null };
          this.payments.set(`moved ${key}`, charge);
          this.#charges.set(paymentId, `moved ${key}`);
          return true;
        }),
      findCharge: (paymentId) => {
        const reference = this.#charges.get(paymentId);
        return Promise.resolve(reference ? this.#read({ reference, intentReference: reference }) : null);
      },
      forget: (customer) => {
        this.forgotten.add(customer);
        return Promise.resolve();
      },
      looksSigned: () => false,
      verify: unused,
      missed: () => Promise.resolve([]),
      read: (payment) => Promise.resolve(this.#read(payment)),
      close: (payment) => {
        const found = this.#of(payment);
        found.isVoided ||= found.captured === 0;
        return Promise.resolve(this.#read(payment));
      },
      capture: (payment, cents, key) =>
        this.#move(payment, key, (find) => {
          const found = find();
          if (found.captured > 0 || found.isVoided || cents > found.authorized) return false;
          found.captured = cents;
          return true;
        }),
      refund: (payment, cents, key, actionId) =>
        this.#move(payment, key, (find) => {
          const found = find();
          if (refunded(found) + cents > found.captured) return false;
          found.refunds.push({ reference: `moved ${key}`, actionId, cents, state: "done" });
          return true;
        }),
    };
  }
}
