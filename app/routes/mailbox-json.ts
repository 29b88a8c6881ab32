import { data } from "react-router";
import { db } from "../../db/connection.server.ts";
import { listMailbox } from "../../shop/mail/mailbox.server.ts";

/** The mailbox for programs: newest first. Not there where the shop has a mail server. */
export async function loader() {
  if (process.env.SMTP_URL) throw data(null, { status: 404 });
  const messages = await listMailbox(db);
  return Response.json(
    messages.map(({ to, subject, text, html, links, sentAt }) => ({ to, subject, text, html, links, sentAt })),
    { headers: { "Cache-Control": "private, no-store" } },
  );
}
