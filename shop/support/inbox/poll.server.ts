/** Reading of a mailbox by IMAP. What is stored is marked as seen, so the mailbox is the shop's alone. */
import type { ImapFlow } from "imapflow";
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

/** Takes an email; `isWhole` is false if the mail server gave its headers alone, or nothing. */
export type Receive = (raw: Uint8Array, isWhole: boolean) => Promise<Received>;

const MAX_ATTEMPTS = 3;
/** Emails that the mail server did not give, by mailbox and uid. */
const failures = new Map<string, number>();

type Fetched = { raw: Uint8Array; isWhole: boolean };

/** An email, or null if it is gone. After three failures its headers, after a fourth a name for it alone. */
async function fetchMail(client: ImapFlow, uid: number, key: string, failed: number): Promise<Fetched | null> {
  if (failed > MAX_ATTEMPTS) return { raw: Buffer.from(`Message-ID: <${key}>\r\n\r\n`), isWhole: false };
  const isWhole = failed < MAX_ATTEMPTS;
  const what = isWhole ? { source: { maxLength: MAX_MAIL_BYTES } } : { headers: true };
  const found = await client.fetchOne(String(uid), what, { uid: true });
  if (!found) return null;
  const raw = isWhole ? found.source : found.headers;
  if (!raw) throw new Error("the mail server gave no email");
  return { raw, isWhole };
}

/**
 * Gives each unseen email of the inbox to `receive`, and marks it as seen. One that `receive` refuses stays unseen, is tried
 * at each poll and stops no other; one that the mail server does not give is given up after some polls. Both are reported.
 */
export async function pollInbox(imapUrl: string, receive: Receive, report: Report): Promise<void> {
  const { ImapFlow } = await import("imapflow");
  const client = new ImapFlow(imapOptions(imapUrl));
  // A lost connection without a listener would end the process; the failed command reports it.
  client.on("error", () => {});
  await client.connect();
  try {
    const { uidValidity } = await client.mailboxOpen("INBOX");
    const keyOf = (uid: number) => `${uid}.${uidValidity}@${new URL(imapUrl).hostname}`;
    const failed = (uid: number) => failures.get(keyOf(uid)) ?? 0;
    const unseen = (await client.search({ seen: false }, { uid: true })) || [];
    // An email that ends the connection keeps back no other.
    for (const uid of unseen.toSorted((a, b) => failed(a) - failed(b))) {
      if (!client.usable) break;
      const key = keyOf(uid);
      try {
        const found = await fetchMail(client, uid, key, failed(uid)).catch((error: unknown) => {
          failures.set(key, failed(uid) + 1);
          throw error;
        });
        if (found) await receive(found.raw, found.isWhole);
        await client.messageFlagsAdd(String(uid), ["\\Seen"], { uid: true });
        failures.delete(key);
      } catch (error) {
        report(error, "an email was not read and will be tried again");
      }
    }
  } finally {
    await client.logout().catch(() => {});
  }
}
