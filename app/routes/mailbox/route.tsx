import { data } from "react-router";
import { privateMeta } from "#app/http/page-meta.ts";
import type { Route } from "./+types/route.ts";
import { CLOSED, MAILBOX_HEADERS, openMailbox } from "./open-mailbox.server.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const messages = await openMailbox(context);
  if (!messages) return data({ messages: null, closed: CLOSED }, { status: 403, headers: MAILBOX_HEADERS });
  const shown = messages.map(({ id, to, subject, html, sentAt }) => ({ id, to, subject, html, sentAt }));
  return data({ messages: shown, closed: null }, { headers: MAILBOX_HEADERS });
}

export const headers = () => MAILBOX_HEADERS;
export const meta: Route.MetaFunction = () => privateMeta("Mailbox");

/** Links open in this window: one opened from a sandboxed frame would inherit its restrictions. */
const inFrame = (html: string) =>
  html.replace("<head>", '<head><base target="_top">').replaceAll(' target="_blank"', "");

export default function Mailbox({ loaderData: { messages, closed } }: Route.ComponentProps) {
  if (!messages) {
    return (
      <section className="page section max-w-3xl">
        <h1 className="heading">The mailbox is closed</h1>
        <p className="mt-3 max-w-prose text-ink-soft">{closed}</p>
      </section>
    );
  }
  return (
    <section className="page section max-w-3xl">
      <h1 className="heading">Mailbox</h1>
      <p className="mt-3 max-w-prose text-ink-soft">
        No mail server is set up, so the shop keeps its mail here. Reload to see what has arrived. With SMTP_URL set,
        mail goes out and this page is gone.
      </p>
      {messages.length === 0 && (
        <p className="mt-10 rounded-card border border-line bg-card p-8">
          No mail yet. Place an order and its confirmation arrives here.
        </p>
      )}
      <ul className="mt-10 grid gap-4">
        {messages.map((message, i) => (
          <li key={message.id}>
            <details open={i === 0} className="rounded-card border border-line bg-card">
              <summary className="flex min-h-16 flex-wrap items-center justify-between gap-x-6 gap-y-1 px-6 py-4">
                <span className="font-semibold">{message.subject}</span>
                <span className="wrap-anywhere text-sm text-ink-soft">
                  <span>{`${message.to} · `}</span>
                  <time dateTime={message.sentAt.toISOString()}>
                    {`${message.sentAt.toISOString().slice(0, 16).replace("T", " ")} UTC`}
                  </time>
                </span>
              </summary>
              <iframe
                title={message.subject}
                srcDoc={inFrame(message.html)}
                sandbox="allow-popups allow-top-navigation-by-user-activation"
                className="h-[720px] w-full rounded-b-card border-t border-line"
              />
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
