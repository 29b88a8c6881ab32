/** Where the card's bank asks whether it is really its customer who pays (3D Secure), simulated by two buttons. */
import { html } from "hono/html";
import { brand } from "../../../shop/brand.ts";
import { formatAmount } from "../amount.ts";
import type { Payment } from "../payment.ts";
import { lastFour } from "../test-cards.ts";
import { layout, type Html } from "./layout.ts";

export const bankPage = ({ session }: Payment, challenge: NonNullable<Payment["challenge"]>, action: string): Html =>
  layout(
    "Your bank asks",
    html`<main class="lone">
      <div class="work">
        <div>
          <h1>Is it you who pays?</h1>
          <p class="quiet">A real bank would now ask by its app or a code (3D Secure). Here you say how it ends.</p>
          <div class="bank">
            <h2>Test Bank</h2>
            <dl>
              <div>
                <dt>To</dt>
                <dd>${brand.name}</dd>
              </div>
              <div>
                <dt>Amount</dt>
                <dd>${formatAmount(session.amount_total ?? 0, session.currency ?? "usd")}</dd>
              </div>
              <div>
                <dt>Card</dt>
                <dd>ending in ${lastFour(challenge.payer.cardNumber)}</dd>
              </div>
            </dl>
          </div>
          <form method="post" action="${action}" class="then">
            <input type="hidden" name="challenge" value="${challenge.id}" />
            <button name="answer" value="complete">Complete authentication</button>
            <button name="answer" value="fail" class="second">Fail authentication</button>
          </form>
        </div>
      </div>
    </main>`,
  );
