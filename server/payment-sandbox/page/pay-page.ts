/** Where somebody pays: what it is for, two simulated wallets, a card form, and the cards that it takes. */
import { html } from "hono/html";
import { brand } from "../../../shop/brand.ts";
import { formatAmount } from "../amount.ts";
import type { Payment } from "../payment.ts";
import { TEST_CARDS } from "../test-cards.ts";
import { FIELDS, type Errors, type Field, type Typed } from "./card-form.ts";
import { layout, type Html } from "./layout.ts";

export type Shown = { typed: Typed; errors: Errors; declined: string | null };

const inFours = (number: string) =>
  number.startsWith("3") ? number.replace(/^(.{4})(.{6})/, "$1 $2 ") : number.replace(/(.{4})(?=.)/g, "$1 ");

function summary({ session, lines, intentSettings }: Payment): Html {
  const currency = session.currency ?? "usd";
  const money = (cents: number) => formatAmount(cents, currency);
  const total = money(session.amount_total ?? 0);
  return html`<section class="summary" aria-label="What you pay for">
    <div>
      <div class="brand">
        <b>${brand.name}</b>
        ${session.cancel_url ? html`<a href="${session.cancel_url}">Back to the shop</a>` : ""}
      </div>
      <p class="for">To pay</p>
      <p class="sum">${total}</p>
      <dl>
        ${lines.map(
          ({ name, description, unitAmount, quantity }) =>
            html`<div>
              <dt>
                ${name}${description ? html`<small>${description}</small>` : ""}${
                  quantity > 1 ? html`<small>${quantity} at ${money(unitAmount)}</small>` : ""
                }
              </dt>
              <dd>${money(unitAmount * quantity)}</dd>
            </div>`,
        )}
        <div class="total">
          <dt>Total</dt>
          <dd>${total}</dd>
        </div>
      </dl>
      ${
        intentSettings.captureMethod === "manual"
          ? html`<p class="quiet">The card is authorized now and charged when the order ships.</p>`
          : ""
      }
    </div>
  </section>`;
}

type Input = { label: string; autocomplete: string; placeholder: string; mode: "numeric" | "text" };

const INPUTS: Record<Field, Input> = {
  number: { label: "Card number", autocomplete: "cc-number", placeholder: "", mode: "numeric" },
  expiry: { label: "Expires", autocomplete: "cc-exp", placeholder: "MM / YY", mode: "text" },
  cvc: { label: "Security code", autocomplete: "cc-csc", placeholder: "CVC", mode: "numeric" },
  name: { label: "Name on card", autocomplete: "cc-name", placeholder: "", mode: "text" },
  zip: { label: "ZIP code", autocomplete: "postal-code", placeholder: "", mode: "text" },
};

/** What a field is explained by, in the order in which it is read out. */
const describedBy = (name: Field, { errors, declined }: Shown): string =>
  [
    ...(errors[name] ? [`${name}-error`] : []),
    ...(name === "number" ? [...(declined ? ["declined"] : []), "number-hint"] : []),
  ].join(" ");

function input(name: Field, shown: Shown): Html {
  const { typed, errors, declined } = shown;
  const { label, autocomplete, placeholder, mode } = INPUTS[name];
  const error = errors[name];
  const description = describedBy(name, shown);
  const isFirst = (declined ? "number" : FIELDS.find((field) => errors[field])) === name;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      value="${typed[name]}"
      autocomplete="${autocomplete}"
      placeholder="${placeholder}"
      inputmode="${mode}"
      maxlength="200"
      required
      ${error ? html`aria-invalid="true"` : ""}
      ${description ? html`aria-describedby="${description}"` : ""}
      ${isFirst ? "autofocus" : ""}
    />
    ${error ? html`<p class="error" id="${name}-error">${error}</p>` : ""}
    ${
      name === "number"
        ? html`<p class="hint" id="number-hint">Try 4242 4242 4242 4242, any date to come, any code.</p>`
        : ""
    }
  </div>`;
}

const testCards = html`<details>
  <summary>Test cards to try</summary>
  <table>
    <tbody>
      ${TEST_CARDS.map(
        ({ number, does }) =>
          html`<tr>
            <th scope="row">${inFours(number)}</th>
            <td>${does}</td>
          </tr>`,
      )}
    </tbody>
  </table>
</details>`;

export function payPage(payment: Payment, action: string, shown: Shown): Html {
  const { session } = payment;
  const total = formatAmount(session.amount_total ?? 0, session.currency ?? "usd");
  return layout(
    `Pay ${total}`,
    html`<main>
      ${summary(payment)}
      <div class="work">
        <div>
          <h1>Pay</h1>
          <form method="post" action="${action}" class="wallets">
            <button class="wallet" name="wallet" value="apple_pay">Simulate Apple Pay</button>
            <button class="wallet" name="wallet" value="google_pay">Simulate Google Pay</button>
          </form>
          <p class="quiet">Pays at once with a test Visa, as a phone would.</p>
          <p class="or">or by card</p>
          ${
            shown.declined
              ? html`<div class="alert" role="alert" id="declined">
                  <b>${shown.declined}</b>Nothing was charged. Try again or use another card.
                </div>`
              : ""
          }
          <form method="post" action="${action}" novalidate>
            ${input("number", shown)}
            <div class="pair">${input("expiry", shown)}${input("cvc", shown)}</div>
            ${input("name", shown)} ${input("zip", shown)}
            <button>Pay ${total}</button>
          </form>
          ${testCards}
          ${session.cancel_url ? html`<a class="back" href="${session.cancel_url}">Do not pay, go back</a>` : ""}
        </div>
      </div>
    </main>`,
  );
}
