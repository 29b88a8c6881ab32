import { data, Link, type HeadersArgs } from "react-router";
import { brand } from "../../../../shop/brand.ts";
import { pages } from "../../../../shop/content/texts.server.ts";
import { textPageAt } from "../../../../shop/discovery/text-pages.server.ts";
import { ORDER_PARAMETER } from "../../../../shop/pages.ts";
import { policy } from "../../../../shop/policies.ts";
import { HONEYPOT_FIELD } from "../../../../shop/support/contact-form.ts";
import { renderText } from "../../../http/rendered-text.server.tsx";
import { baseUrl } from "../../../base-url.ts";
import { writeToShop } from "../../../http/browser-write.ts";
import { pageMeta } from "../../../http/page-meta.ts";
import { FOR_GOING_BACK, publicCache, publicHeaders } from "../../../http/cache-headers.ts";
import { Prose } from "../../../ui/content/prose.tsx";
import type { Route } from "./+types/route.ts";
import { CONNECTION_LOST, type ContactActionResult } from "./action-result.ts";
import { Contact } from "./contact.tsx";
import { send } from "./send.server.ts";

/** The page is everyone's; the answer to a form is its sender's. */
export const headers = (args: HeadersArgs) =>
  args.actionHeaders.has("Cache-Control") ? args.actionHeaders : publicHeaders(args);

const PATH = "/support";

/** Which order a message will be about. Such an address is not kept ready: shop/pages.ts says so. */
const orderOf = (request: Request) =>
  /^[0-9a-f]{8}$/.exec(new URL(request.url).searchParams.get(ORDER_PARAMETER) ?? "")?.[0];

export function loader({ request }: Route.LoaderArgs) {
  const order = orderOf(request);
  const { front, Content } = pages.support;
  return data(
    {
      ...front,
      html: renderText(Content).html,
      hours: policy.supportHours,
      email: brand.supportEmail,
      honeypot: HONEYPOT_FIELD,
      message: order ? `Order ${order}: ` : "",
      jsonLd: textPageAt(PATH).jsonLd(baseUrl()),
    },
    { headers: order ? FOR_GOING_BACK : publicCache() },
  );
}

export const action = ({ request, context }: Route.ActionArgs) => send(request, context);

export const clientAction = (call: Route.ClientActionArgs) =>
  writeToShop<ContactActionResult>(call, {
    key: "sent",
    lost: (form) => ({
      sent: false,
      message: CONNECTION_LOST,
      errors: {},
      typed: Object.fromEntries(form) as Record<string, string>,
    }),
  });

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData ? pageMeta({ ...loaderData, path: PATH, markdown: true }) : [];

export default function Support({ loaderData, actionData }: Route.ComponentProps) {
  const { title, heading, intro, html, hours, email, honeypot, message } = loaderData;
  return (
    <div className="page pt-12 pb-24 lg:pt-24 lg:pb-32">
      <header>
        <p className="mb-4 font-semibold text-leaf">{title}</p>
        <h1 className="display">{heading}</h1>
        <p className="mt-5 text-lg text-ink-soft lg:text-xl">{intro}</p>
      </header>
      <section className="mt-12 grid gap-x-16 gap-y-6 lg:mt-20 lg:grid-cols-[1fr_1.6fr]" aria-labelledby="faq">
        <h2 id="faq" className="heading">
          Questions
        </h2>
        <Prose html={html} className="faq" />
      </section>
      <section
        id="contact"
        className="mt-16 grid gap-x-16 gap-y-8 border-t border-line pt-12 lg:mt-24 lg:grid-cols-[1fr_1.6fr] lg:pt-16"
        aria-labelledby="contact-title"
      >
        <div>
          <h2 id="contact-title" className="heading">
            Write to us
          </h2>
          <p className="mt-4 text-lg text-ink-soft">{hours}</p>
          <p>
            <a href={`mailto:${email}`} className="text-link inline-flex min-h-11 items-center">
              {email}
            </a>
          </p>
          <p className="mt-2 max-w-[26em] text-ink-soft">
            For an order, please add its number. It stands in your confirmation.
          </p>
          <p>
            <Link to="/orders/find" className="text-link inline-flex min-h-11 items-center">
              Find your order
            </Link>
          </p>
        </div>
        <Contact actionResult={actionData as ContactActionResult | undefined} honeypot={honeypot} message={message} />
      </section>
    </div>
  );
}
