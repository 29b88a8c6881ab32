/** A provider of payments in this process: it keeps what it was asked, does it once for a key, and can be made to fail. */
import {
  ProviderError,
  type MoneyMoved,
  type PaymentProvider,
  type PaymentReference,
  type PaymentSnapshot,
} from "../../shop/payments/provider.ts";

type Held = { authorized: number; captured: number; isVoided: boolean; refunds: PaymentSnapshot["refunds"] };
/** `refuse`: it says no. `silent`: no answer comes, and nothing was done. `lost`: it was done, and no answer comes. */
type Fault = "refuse" | "silent" | "lost";

const refunded = ({ refunds }: Held) => refunds.reduce((sum, { cents }) => sum + cents, 0);

export class MemoryProvider {
  readonly held = new Map<string, Held>();
  readonly #answers = new Map<string, MoneyMoved>();
  /** What it does with the next calls that move money, in turn. */
  faults: Fault[] = [];
  calls = 0;

  authorize(reference: string, cents: number): void {
    this.held.set(reference, { authorized: cents, captured: 0, isVoided: false, refunds: [] });
  }

  /** What the shop has of all payments. */
  sum(): number {
    return [...this.held.values()].reduce((sum, held) => sum + held.captured - refunded(held), 0);
  }

  #of({ reference }: PaymentReference): Held {
    const held = this.held.get(reference);
    if (!held) throw new ProviderError("refused");
    return held;
  }

  async #move(payment: PaymentReference, key: string, move: (held: Held) => boolean): Promise<MoneyMoved> {
    this.calls += 1;
    // As over a network: others run meanwhile.
    await new Promise((done) => setImmediate(done));
    const fault = this.faults.shift();
    if (fault === "silent") throw new ProviderError("away");
    const isMoved = () => fault !== "refuse" && move(this.#of(payment));
    const answer: MoneyMoved =
      this.#answers.get(key) ??
      (isMoved() ? { ok: true, providerReference: `moved ${key}` } : { ok: false, problem: "card_declined" });
    this.#answers.set(key, answer);
    if (fault === "lost") throw new ProviderError("away");
    return answer;
  }

  #read(payment: PaymentReference): PaymentSnapshot {
    const held = this.#of(payment);
    return {
      state: held.captured > 0 ? "captured" : held.isVoided ? "voided" : "authorized",
      reference: payment.reference,
      intentReference: payment.intentReference,
      currency: "usd",
      amountCents: held.authorized,
      authorizedCents: held.authorized,
      capturedCents: held.captured,
      refundedCents: refunded(held),
      captureBefore: null,
      method: { brand: "Visa", lastFour: "4242", wallet: null },
      problem: null,
      disputedUntil: null,
      refunds: held.refunds,
    };
  }

  /** As the shop sees it. */
  get provider(): PaymentProvider {
    const unused = () => Promise.reject(new Error("not asked in these tests"));
    return {
      name: "stripe",
      pageOrigin: "http://localhost",
      hasWebhook: false,
      open: unused,
      verify: unused,
      missed: () => Promise.resolve([]),
      read: (payment) => Promise.resolve(this.#read(payment)),
      close: (payment) => {
        const held = this.#of(payment);
        held.isVoided ||= held.captured === 0;
        return Promise.resolve(this.#read(payment));
      },
      capture: (payment, cents, key) =>
        this.#move(payment, key, (held) => {
          if (held.captured > 0 || held.isVoided || cents > held.authorized) return false;
          held.captured = cents;
          return true;
        }),
      refund: (payment, cents, key, actionId) =>
        this.#move(payment, key, (held) => {
          if (refunded(held) + cents > held.captured) return false;
          held.refunds.push({ reference: `moved ${key}`, actionId, cents, state: "done" });
          return true;
        }),
    };
  }
}
