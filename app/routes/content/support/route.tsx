import { RotateCcw, Truck, Wind } from "lucide-react";
import { data, type HeadersArgs, Link } from "react-router";
import { done, failed, invalid, readForm, refused } from "#app/http/form.server.ts";
import { renderText } from "#app/http/rendered-text.server.tsx";
import { callerNetwork, rateLimits } from "#app/session/rate-limits.server.ts";
import { HONEYPOT_FIELD } from "#app/ui/form/honeypot.tsx";
import { Prose } from "#app/ui/content/prose.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { baseUrl } from "#platform/base-url.ts";
import { FOR_GOING_BACK, publicCache, publicHeaders } from "#platform/cache-headers.ts";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { repeatedEvent, reportError } from "#platform/log.server.ts";
import { supportEmail } from "#shop/contact-addresses.server.ts";
import { pages } from "#shop/content/texts.server.ts";
import { maskEmail } from "#shop/orders/order.ts";
import { readWriter, type Writer } from "#shop/orders/order-link.server.ts";
import { textPageAt } from "#shop/discovery/text-pages.server.ts";
import { ORDER_PARAMETER } from "#shop/pages.ts";
import { policyWords } from "#shop/settings/settings.server.ts";
import { waitTime } from "#shop/rate-limits/rate-limits.server.ts";
import { contactSchema } from "#shop/support/contact-form.ts";
import { sendMessage } from "#shop/support/contact.server.ts";
import type { Route } from "./+types/route.ts";
import { Contact } from "./contact.tsx";

/** The page is public; an action result is private. */
export const headers = (args: HeadersArgs) =>
  args.actionHeaders.has("Cache-Control") ? args.actionHeaders : publicHeaders(args);

export { textMeta as meta } from "#app/http/page-meta.ts";
export { clientAction } from "#app/ui/form/client-action.ts";

const PATH = "/support";

/** Order of the message. Such a URL is not cached (shop/pages.ts). */
const orderOf = (request: Request) =>
  /^[0-9a-f]{8}$/.exec(new URL(request.url).searchParams.get(ORDER_PARAMETER) ?? "")?.[0];

/** The customer who follows the link of an email to register a product. */
function writerOf(key: string | null): Promise<Writer | null> {
  const { secret, formerSecrets } = config();
  return key === null ? Promise.resolve(null) : readWriter(db, key, [secret, ...formerSecrets]);
}

const registrationOf = ({ number, products }: Writer) =>
  `Please register my product.\n\nOrder ${number}: ${products.join(", ")}`;

export async function loader({ request }: Route.LoaderArgs) {
  const order = orderOf(request);
  const key = order ? new URL(request.url).searchParams.get("k") : null;
  const writer = await writerOf(key);
  const { front, Content } = pages().support;
  return data(
    {
      ...front,
      path: PATH,
      html: renderText(Content).html,
      hours: policyWords().supportHours,
      filterMonths: policyWords().filterMonths,
      email: supportEmail(),
      message: writer ? registrationOf(writer) : order ? `Order ${order}: ` : "",
      writer: writer && { key, path: `${PATH}?${ORDER_PARAMETER}=${order}&k=${key}`, email: maskEmail(writer.email) },
      jsonLd: textPageAt(PATH).jsonLd(baseUrl()),
    },
    { headers: order ? FOR_GOING_BACK : publicCache() },
  );
}

const FIELDS = [HONEYPOT_FIELD, "k", ...Object.keys(contactSchema.shape)];

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, FIELDS);
  const key = form.get("k");
  const writer = await writerOf(key);
  for (const name of ["name", "email"] as const) if (writer) form.set(name, writer[name]);
  const submission = parseForm(form, contactSchema);
  if (key !== null && !writer) return refused(submission, "This link doesn’t work anymore. Contact us without it.");
  // Bots get a success.
  if (form.get(HONEYPOT_FIELD)) {
    repeatedEvent("form-of-a-program", { outcome: "refused" });
    return done(submission);
  }
  if (submission.status !== "success") return invalid(submission);
  try {
    const result = await sendMessage(db, rateLimits, submission.value, callerNetwork(context));
    if (result.ok) return done(submission);
    const message =
      result.reason === "limited"
        ? `Too many messages from your connection or with this address. Please wait ${waitTime(result.wait)}, or write to ${supportEmail()}.`
        : "You’ve written several times within an hour, and we’ve got those messages. Please wait a little before you write again.";
    return refused(submission, message, { status: 429 });
  } catch (error) {
    reportError(error, "a message was not stored");
    return failed(submission);
  }
}

const tasks = (filterMonths: string) => [
  { icon: Truck, title: "Track an Order", text: "Find it with its number and your email.", to: "/orders/find" },
  { icon: RotateCcw, title: "Return or Exchange", text: "Start it from your order’s page.", to: "/orders/find" },
  { icon: Wind, title: "Filter Due?", text: `Each one lasts ${filterMonths}.`, to: "/shop?category=Accessories" },
];

export default function Support({ loaderData }: Route.ComponentProps) {
  const { title, heading, intro, html, hours, filterMonths, email, message, writer } = loaderData;
  return (
    <div className="page pt-12 pb-24 lg:pt-24 lg:pb-32">
      <header>
        <p className="mb-4 font-semibold text-leaf">{title}</p>
        <h1 className="display">{heading}</h1>
        <p className="mt-5 text-lg text-ink-soft lg:text-xl">{intro}</p>
      </header>
      <ul className="mt-10 grid gap-3 sm:grid-cols-3 lg:mt-14 lg:gap-6">
        {tasks(filterMonths).map(({ icon: Icon, title, text, to }) => (
          <li key={title}>
            <Link to={to} className="grid h-full content-start gap-1 rounded-card bg-card p-5 hover:bg-sage/40 lg:p-7">
              <Icon aria-hidden="true" size={24} strokeWidth={1.5} />
              <span className="mt-3 text-lg font-semibold">{title}</span>
              <span className="text-[15px] text-ink-soft">{text}</span>
            </Link>
          </li>
        ))}
      </ul>
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
            Contact Us
          </h2>
          <p className="mt-4 text-lg text-ink-soft">{hours}</p>
          <p>
            <a href={`mailto:${email}`} className="text-link inline-flex min-h-11 items-center">
              {email}
            </a>
          </p>
          <p className="mt-2 max-w-[26em] text-ink-soft">
            Writing about an order? Add its number from your confirmation email.
          </p>
          <p>
            <Link to="/orders/find" className="text-link inline-flex min-h-11 items-center">
              Find your order
            </Link>
          </p>
        </div>
        <Contact message={message} writer={writer} />
      </section>
    </div>
  );
}
