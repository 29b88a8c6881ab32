/** `/emails` in development: every email with sample data. Not in the build. */
import { Hono } from "hono";
import { html, raw } from "hono/html";
import { emails } from "#shop/emails.server.ts";
import type { Email, EmailShop } from "#shop/mail/email.ts";
import { NO_STORE } from "#platform/cache-headers.ts";

const STYLE = `section { display: grid; grid-template-columns: 640px 1fr; gap: 0 2rem }
h2, p { grid-column: 1 / -1 }
iframe { height: 720px }
pre { white-space: pre-wrap }`;

const shown = (template: string, sample: string, email: Email) => html`
  <section>
    <h2>${template} <small>${sample}</small></h2>
    <p>To ${email.to}${email.replyTo ? `, replies to ${email.replyTo}` : ""}: <b>${email.subject}</b></p>
    <iframe title="${template}, ${sample}" srcdoc="${email.html}" sandbox></iframe>
    <pre>${email.text}</pre>
  </section>
`;

export function emailSamples(shop: EmailShop): Hono {
  return new Hono().get("/", (c) => {
    const all = Object.entries(emails).flatMap(([template, { samples }]) =>
      Object.entries(samples(shop)).map(([sample, email]) => shown(template, sample, email)),
    );
    return c.html(
      html`<!doctype html>
        <html lang="en">
          <head>
            <title>Emails</title>
            <style>
              ${raw(STYLE)}
            </style>
          </head>
          <body>
            <h1>Emails</h1>
            ${all}
          </body>
        </html>`,
      200,
      NO_STORE,
    );
  });
}
