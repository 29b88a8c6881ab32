import { CLOSED, MAILBOX_HEADERS, openMailbox } from "./open-mailbox.server.ts";
import type { Route } from "./+types/mailbox-json.ts";

/** The mailbox as JSON, newest first; 404 with a mail server. */
export async function loader({ context }: Route.LoaderArgs) {
  const messages = await openMailbox(context);
  if (!messages) return Response.json({ message: CLOSED }, { status: 403, headers: MAILBOX_HEADERS });
  return Response.json(
    messages.map(({ id: _id, jobId: _jobId, mailId: messageId, headers, ...message }) => ({
      ...message,
      messageId,
      headers: { ...headers, To: message.to, Subject: message.subject },
    })),
    { headers: MAILBOX_HEADERS },
  );
}
