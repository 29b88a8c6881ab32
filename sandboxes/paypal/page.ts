/** PayPal's page, where an order is approved with a test account. The order's id is the only key. */
import { html } from "hono/html";
import type { Pool } from "pg";
import { brand } from "#shop/brand.ts";
import { layout, message, type Html } from "../stripe/page-html.ts";
import { redirect, respond } from "../stripe/page.ts";
import { formatAmount, RefusedCall } from "../stripe/payment.ts";
import { inTransaction } from "../stripe/store.ts";
import { ACCOUNTS, approve, centsOf, type Account, type PayPalOrder } from "./order.ts";
import { changeOrder } from "./store.ts";

const PATH = "/payment-sandbox/paypal/";

/** PayPal adds its own `token` to the addresses, in place of any other. */
function addressWith(address: string, params: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

const returnAddress = ({ order, returnUrl }: PayPalOrder) =>
  addressWith(returnUrl, { token: order.id, PayerID: "QYR5Z8XDVJNXQ" });

function approvalPage({ order, cancelUrl }: PayPalOrder, action: string): Html {
  const [unit] = order.purchase_units;
  const total = formatAmount(centsOf(unit.amount));
  const { pays: _pays, ...others } = ACCOUNTS;
  return layout(
    `Pay ${total} with PayPal`,
    html`<main class="lone">
      <div class="work">
        <div>
          <h1>Pay with PayPal</h1>
          <p class="quiet">
            ${brand.name}: ${unit.description}, ${total}. Here, you choose an account without logging in.
          </p>
          <form method="post" action="${action}"><button name="account" value="pays">Pay ${total}</button></form>
          <details>
            <summary>Accounts to try</summary>
            <form method="post" action="${action}" class="accounts">
              ${Object.entries(others).map(
                ([name, does]) => html`<button class="second" name="account" value="${name}">${does}</button>`,
              )}
            </form>
          </details>
          <a class="back" href="${addressWith(cancelUrl, { token: order.id })}">Cancel and return</a>
        </div>
      </div>
    </main>`,
  );
}

const notFound = () =>
  respond(404, message("Nothing to pay here", "There’s no payment at this address, or it has expired.", null));

const isAccount = (name: string | null): name is Account => name !== null && Object.hasOwn(ACCOUNTS, name);

export function openPayPalPage(pool: Pool, baseUrl: string) {
  const addressOf = `${baseUrl}${PATH}`;

  /** Null for another page. */
  async function handle(request: Request): Promise<Response | null> {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith(PATH)) return null;
    const account = request.method === "POST" ? new URLSearchParams(await request.text()).get("account") : null;
    const id = pathname.slice(PATH.length);
    const found = await inTransaction(pool, (sql) =>
      changeOrder(sql, id, (work) => ({ isApproved: isAccount(account) && approve(work, account), paid: work.paid })),
    ).catch((error: unknown) => {
      if (error instanceof RefusedCall) return null;
      throw error;
    });
    if (!found || found.paid.order.id !== id) return notFound();
    const { isApproved, paid } = found;
    const back = returnAddress(paid);
    if (isApproved) return redirect(back);
    if (paid.order.status !== "COMPLETED") {
      return respond(200, approvalPage(paid, `${addressOf}${id}`), [new URL(back).origin]);
    }
    const way = { href: back, label: "Go to your order" };
    return respond(200, message("This is paid", "There’s nothing left to do here.", way));
  }

  return { addressOf, handle };
}
