/** What every page of the sandbox has around it, first of all that it is a test. */
import { html, raw } from "hono/html";
import { brand } from "../../../shop/brand.ts";
import { STYLE } from "./style.ts";

export type Html = ReturnType<typeof html>;

/** In one piece: its hash allows no other white space. */
const style = raw(`<style>${STYLE}</style>`);

export const layout = (title: string, content: Html): Html =>
  html`<!doctype html>
    <html lang="en-US">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>${title} | ${brand.name} test payment</title>
        ${style}
      </head>
      <body>
        <header class="banner"><strong>Test mode</strong> No money moves here. Never type a real card.</header>
        ${content}
      </body>
    </html>`;

/** One thing to say, and where to go from there. */
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
