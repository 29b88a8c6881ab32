/** HTML of the account chooser. Its forms post to the address they are at, which holds what the shop asks. */
import { html } from "hono/html";
import { brand } from "#shop/brand.ts";
import { layout, type Html } from "../stripe/page-html.ts";
import { EXAMPLES } from "./people.ts";

const SIGN_IN = { name: "test sign-in", banner: "This isn’t Google. Never type a real password." };

const page = (title: string, content: Html): Html =>
  layout(
    title,
    html`<main class="lone">
      <div class="work">
        <div>
          <h1>${title}</h1>
          ${content}
        </div>
      </div>
    </main>`,
    SIGN_IN,
  );

/** `refused` is a form without an email. */
export const accountPage = (refused?: URLSearchParams): Html =>
  page(
    "Choose an account",
    html`<p class="quiet">to continue to ${brand.name}</p>
      <form method="post" class="then">
        ${EXAMPLES.map(
          ({ email, firstName, lastName, isVerified }) =>
            html`<button class="second" name="account" value="${email}">
              ${firstName} ${lastName}${isVerified ? "" : " (email not verified)"}
            </button>`,
        )}
      </form>
      <details ${refused ? "open" : ""}>
        <summary>Use another account</summary>
        <form method="post" class="typed" novalidate>
          <div class="field">
            <label for="email">Email</label>
            <input
              id="email"
              name="email"
              type="email"
              value="${refused?.get("email") ?? ""}"
              autocomplete="off"
              required
              ${refused ? html`aria-invalid="true" aria-describedby="email-error" autofocus` : ""}
            />
            ${refused ? html`<p class="error" id="email-error">Enter an email address.</p>` : ""}
          </div>
          <div class="pair">
            <div class="field">
              <label for="firstName">First name</label>
              <input
                id="firstName"
                name="firstName"
                value="${refused?.get("firstName") ?? "Grace"}"
                autocomplete="off"
              />
            </div>
            <div class="field">
              <label for="lastName">Last name</label>
              <input id="lastName" name="lastName" value="${refused?.get("lastName") ?? "Hopper"}" autocomplete="off" />
            </div>
          </div>
          <label class="tick"><input type="checkbox" name="verified" checked /> Google has verified this email</label>
          <button>Continue</button>
        </form>
      </details>
      <form method="post" class="then">
        <button class="second" name="error" value="access_denied">Cancel</button>
        <button class="second" name="error" value="server_error">Simulate a failure</button>
      </form>`,
  );

export const refusalPage = (wrong: string[]): Html =>
  page("This request can’t be answered", html`<p class="quiet">Missing or wrong: ${wrong.join(", ")}.</p>`);
