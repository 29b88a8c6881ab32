/** The payment page, with plain forms. The session's id is the only key. */
import type { Pool } from "pg";
import { NOTHING_TYPED, readPayForm, typedBy } from "./card-form.ts";
import { answerChallenge, pay, type Outcome } from "./attempts.ts";
import { asksAddress, bankPage, message, payPage, type Html, type Shown } from "./page-html.ts";
import type { PagePayment, Payment, Work } from "./payment.ts";
import { changePayment, inTransaction, readPayment } from "./store.ts";
import { contentSecurityPolicy } from "./style.ts";

const PLACE = /^\/payment-sandbox\/pay\/(cs_test_\w{1,80})(\/bank)?$/;

export async function respond(status: number, page: Html, formTo: string[] = []): Promise<Response> {
  return new Response(String(await page), {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": contentSecurityPolicy(formTo),
      "Referrer-Policy": "strict-origin-when-cross-origin",
      "X-Content-Type-Options": "nosniff",
      "X-Robots-Tag": "noindex",
    },
  });
}

export const redirect = (address: string) =>
  new Response(null, { status: 303, headers: { Location: address, "Cache-Control": "no-store" } });

const successAddress = ({ session }: PagePayment): string =>
  (session.success_url ?? "").replaceAll("{CHECKOUT_SESSION_ID}", session.id);

/** Origins that forms may redirect to, besides the page's own. */
const origins = (payment: PagePayment) => [new URL(successAddress(payment)).origin];

const notFound = () =>
  respond(
    404,
    message("Nothing to pay here", "There’s no payment at this address. Go back to the shop and start again.", null),
  );

function closedPage(payment: PagePayment): Promise<Response> {
  const { session } = payment;
  if (session.status === "complete") {
    const way = { href: successAddress(payment), label: "Go to your order" };
    const [heading, done] =
      session.mode === "setup"
        ? ["Your card is saved", "Nothing was charged."]
        : ["This is paid", "The payment went through."];
    return respond(200, message(heading, `${done} There’s nothing left to do here.`, way));
  }
  const way = session.cancel_url ? { href: session.cancel_url, label: "Back to the shop" } : null;
  return respond(
    410,
    message("This page has expired", "Nothing was charged. Go back to the shop to open a new page.", way),
  );
}

async function readPage(pool: Pool, id: string): Promise<PagePayment | null> {
  const payment = await readPayment(pool, id);
  return payment && hasPage(payment) ? payment : null;
}

const hasPage = (payment: Payment): payment is PagePayment => payment.session !== null;

export function openPage(pool: Pool, baseUrl: string, now: () => Date) {
  const addressOf = (id: string) => `${baseUrl}/payment-sandbox/pay/${id}`;
  const bankAddress = (id: string) => `${addressOf(id)}/bank`;

  const open = (payment: PagePayment, status: number, shown: Partial<Shown> = {}) =>
    respond(
      status,
      payPage(payment, addressOf(payment.session.id), { typed: NOTHING_TYPED, errors: {}, declined: null, ...shown }),
      origins(payment),
    );

  async function answer(id: string, run: (work: Work) => Outcome, typed = NOTHING_TYPED): Promise<Response> {
    const outcome = await inTransaction(pool, (sql) => changePayment(sql, id, run));
    const payment = await readPage(pool, id);
    if (!payment) return notFound();
    if (payment.session.status === "complete") return redirect(successAddress(payment));
    if (outcome === "challenge") return redirect(bankAddress(id));
    if (payment.session.status !== "open") return closedPage(payment);
    if (outcome === "closed") return redirect(addressOf(id));
    const error = payment.intent?.last_payment_error ?? payment.setup?.last_setup_error;
    return open(payment, 402, { declined: error?.message ?? "Your card was declined.", typed });
  }

  async function payForm(payment: PagePayment, form: URLSearchParams): Promise<Response> {
    const { id } = payment.session;
    const read = readPayForm(form, now(), {
      asksAddress: asksAddress(payment),
      allowed: payment.session.allowed_payment_method_types,
    });
    if ("payer" in read) return answer(id, (work) => pay(work, read.payer), read.again);
    // A double click can find its session paid.
    if (payment.session.status !== "open") return answer(id, () => "closed");
    return open(payment, 422, { typed: read.again, errors: read.errors });
  }

  async function handle(request: Request): Promise<Response> {
    const [, id, bank] = PLACE.exec(new URL(request.url).pathname) ?? [];
    const payment = id === undefined ? null : await readPage(pool, id);
    if (id === undefined || !payment) return notFound();
    if (request.method === "POST") {
      const form = new URLSearchParams(await request.text());
      if (!bank) return payForm(payment, form);
      const isPassed = form.get("answer") === "complete";
      const typed = payment.challenge ? typedBy(payment.challenge.payer) : NOTHING_TYPED;
      return answer(id, (work) => answerChallenge(work, form.get("challenge") ?? "", isPassed), typed);
    }
    if (payment.session.status !== "open") return closedPage(payment);
    if (!bank) return open(payment, 200);
    if (!payment.challenge) return redirect(addressOf(id));
    return respond(200, bankPage(payment, payment.challenge, bankAddress(id)), origins(payment));
  }

  return { addressOf, handle };
}
