import { CLOSED, NO_STORE, openMailbox } from "./open-mailbox.server.ts";
import type { Route } from "./+types/mailbox-json.ts";

/** The mailbox for programs: newest first. Not there where the shop has a mail server. */
export async function loader({ context }: Route.LoaderArgs) {
  const messages = await openMailbox(context);
  if (!messages) return Response.json({ message: CLOSED }, { status: 403, headers: NO_STORE });
  return Response.json(
    messages.map(({ to, subject, text, html, links, sentAt }) => ({ to, subject, text, html, links, sentAt })),
    { headers: NO_STORE },
  );
}
