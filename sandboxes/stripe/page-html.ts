/** HTML of the payment page, the bank's challenge and messages. */
import { html, raw } from "hono/html";
import { brand } from "#shop/brand.ts";
import { FIELDS, TEST_CARDS, type Typed } from "./card-form.ts";
import { buttonsOf, METHODS } from "./methods.ts";
import { formatAmount, type PagePayment } from "./payment.ts";
import { STYLE } from "./style.ts";

export type Html = ReturnType<typeof html>;

/** One string, since its hash allows no other whitespace. */
const style = raw(`<style>${STYLE}</style>`);

const PAYMENT = { name: "test payment", banner: "No money moves here. Never type a real card." };

export const layout = (title: string, content: Html, about = PAYMENT): Html =>
  html`<!doctype html>
    <html lang="en-US">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>${title} | ${brand.name} ${about.name}</title>
        ${style}
      </head>
      <body>
        <header class="banner"><strong>Test mode</strong> ${about.banner}</header>
        ${content}
      </body>
    </html>`;

export const message = (heading: string, text: string, way: { href: string; label: string } | null): Html =>
  layout(
    heading,
    html`<main class="lone">
      <div class="work">
        <div>
          <h1>${heading}</h1>
          <p class="quiet">${text}</p>
          ${way ? html`<p class="then"><a class="button" href="${way.href}">${way.label}</a></p>` : ""}
        </div>
      </div>
    </main>`,
  );

type Field = keyof Typed;
export type Shown = { typed: Typed; errors: Partial<Typed>; declined: string | null };

const inFours = (number: string) =>
  number.startsWith("3") ? number.replace(/^(.{4})(.{6})/, "$1 $2 ") : number.replace(/(.{4})(?=.)/g, "$1 ");

const shopName = ({ session }: PagePayment): Html =>
  html`<div class="brand">
    <b>${brand.name}</b>
    ${session.cancel_url ? html`<a href="${session.cancel_url}">Back to the shop</a>` : ""}
  </div>`;

const savingSummary = (payment: PagePayment): Html =>
  html`<section class="summary" aria-label="What happens to your card">
    <div>
      ${shopName(payment)}
      <p class="quiet">Your card is saved and nothing is charged now.</p>
    </div>
  </section>`;

function payingSummary(payment: PagePayment): Html {
  const { session, lines } = payment;
  const total = formatAmount(session.amount_total);
  return html`<section class="summary" aria-label="What you’re paying for">
    <div>
      ${shopName(payment)}
      <p class="for">To pay</p>
      <p class="sum">${total}</p>
      <dl>
        ${lines.map(
          ({ name, unitAmount, quantity }) =>
            html`<div>
              <dt>${name}${quantity > 1 ? html`<small>${quantity} at ${formatAmount(unitAmount)}</small>` : ""}</dt>
              <dd>${formatAmount(unitAmount * quantity)}</dd>
            </div>`,
        )}
        <div class="total">
          <dt>Total</dt>
          <dd>${total}</dd>
        </div>
      </dl>
      <p class="quiet">Your card is authorized now and charged when your order ships.</p>
    </div>
  </section>`;
}

type Input = { label: string; autocomplete: string; placeholder: string; mode: "numeric" | "text" };

const INPUTS: Record<Field, Input> = {
  number: { label: "Card number", autocomplete: "cc-number", placeholder: "", mode: "numeric" },
  expiry: { label: "Expires", autocomplete: "cc-exp", placeholder: "MM / YY", mode: "text" },
  cvc: { label: "Security code", autocomplete: "cc-csc", placeholder: "CVC", mode: "numeric" },
  name: { label: "Name on card", autocomplete: "cc-name", placeholder: "", mode: "text" },
  address: { label: "Billing address", autocomplete: "billing street-address", placeholder: "", mode: "text" },
  zip: { label: "ZIP code", autocomplete: "postal-code", placeholder: "", mode: "text" },
};

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
        ? html`<p class="hint" id="number-hint">Try 4242 4242 4242 4242, any future date, any code.</p>`
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

export const asksAddress = ({ session }: PagePayment): boolean => session.billing_address_collection === "required";

export function payPage(payment: PagePayment, action: string, shown: Shown): Html {
  const { session } = payment;
  const isSaving = session.mode === "setup";
  const does = isSaving ? "Save card" : `Pay ${formatAmount(session.amount_total)}`;
  const consent = session.custom_text.submit?.message;
  return layout(
    does,
    html`<main>
      ${isSaving ? savingSummary(payment) : payingSummary(payment)}
      <div class="work">
        <div>
          <h1>${isSaving ? "Save your card" : "Pay"}</h1>
          <form method="post" action="${action}" class="wallets">
            <button class="wallet" name="wallet" value="apple_pay">Simulate Apple Pay</button>
            <button class="wallet" name="wallet" value="google_pay">Simulate Google Pay</button>
            ${buttonsOf(session.allowed_payment_method_types).map(
              (type) =>
                html`<button class="wallet" name="method" value="${type}">Simulate ${METHODS[type].label}</button>`,
            )}
          </form>
          <p class="quiet">${isSaving ? "Saves" : "Pays at once with"} a test Visa, as a phone would.</p>
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
            ${input("name", shown)} ${asksAddress(payment) ? input("address", shown) : ""} ${input("zip", shown)}
            <button>${does}</button>
            ${consent ? html`<p class="hint">${consent}</p>` : ""}
          </form>
          ${testCards}
          ${
            session.cancel_url
              ? html`<a class="back" href="${session.cancel_url}">Don’t ${isSaving ? "save it" : "pay"}, go back</a>`
              : ""
          }
        </div>
      </div>
    </main>`,
  );
}

export const bankPage = (
  { session }: PagePayment,
  challenge: NonNullable<PagePayment["challenge"]>,
  action: string,
): Html =>
  layout(
    "Your bank asks",
    html`<main class="lone">
      <div class="work">
        <div>
          <h1>Is this you?</h1>
          <p class="quiet">A real bank would now ask by its app or a code (3D Secure). Here, you choose how it ends.</p>
          <p class="bank">
            ${session.mode === "setup" ? "Let" : `Pay ${formatAmount(session.amount_total)} to`} ${brand.name}
            ${session.mode === "setup" ? "save" : "by"} the card ending in ${challenge.payer.cardNumber.slice(-4)}
          </p>
          <form method="post" action="${action}" class="then">
            <input type="hidden" name="challenge" value="${challenge.id}" />
            <button name="answer" value="complete">Complete authentication</button>
            <button name="answer" value="fail" class="second">Fail authentication</button>
          </form>
        </div>
      </div>
    </main>`,
  );
