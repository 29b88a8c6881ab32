/** Reading of a mailbox by IMAP. What is stored is marked as seen, so the mailbox is the shop's alone. */
import type { Report } from "#shop/report.ts";
import { MAX_MAIL_BYTES, type Received } from "./receive.server.ts";

const TIMEOUT_MS = 30_000;

/**
 * A connection by IMAP_URL: TLS 1.2 or newer with a verified certificate, implicit (imaps) or by STARTTLS, except to this
 * machine.
 */
export function imapOptions(imapUrl: string) {
  const { protocol, hostname, port, username, password } = new URL(imapUrl);
  const host = hostname.replace(/^\[|\]$/g, "");
  const secure = protocol === "imaps:";
  return {
    host,
    port: Number(port) || (secure ? 993 : 143),
    secure,
    doSTARTTLS: secure || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host) ? undefined : true,
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    tls: { minVersion: "TLSv1.2", rejectUnauthorized: true },
    logger: false,
    connectionTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  } as const;
}

/**
 * Gives each unseen email of the inbox to `receive`, and marks it as seen. One that fails is reported, stays unseen and
 * stops no other.
 */
export async function pollInbox(
  imapUrl: string,
  receive: (raw: Uint8Array) => Promise<Received>,
  report: Report,
): Promise<void> {
  const { ImapFlow } = await import("imapflow");
  const client = new ImapFlow(imapOptions(imapUrl));
  // A lost connection without a listener would end the process; the failed command reports it.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.mailboxOpen("INBOX");
    const unseen = (await client.search({ seen: false }, { uid: true })) || [];
    for (const uid of unseen) {
      try {
        const found = await client.fetchOne(String(uid), { source: { maxLength: MAX_MAIL_BYTES } }, { uid: true });
        if (found && found.source) await receive(found.source);
        await client.messageFlagsAdd(String(uid), ["\\Seen"], { uid: true });
      } catch (error) {
        report(error, "an email was not read and will be tried again");
      }
    }
  } finally {
    await client.logout().catch(() => {});
  }
}
