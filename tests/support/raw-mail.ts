/** Emails of tests/fixtures/mail as they come: with CRLF, and with the addresses of a conversation in their places. */
import { readFileSync } from "node:fs";

export const REPLY_TO = "support+m0123@shop.example";
export const THREAD = "<reply.6f1f7a52-3f0e-4d8f-9a55-2c1f3f1f9a02@shop.example>";

type Places = { replyTo?: string; thread?: string; from?: string; mailId?: string };

/** `from` and `mailId` are put in place of the fixture's own. */
export function rawMail(name: string, { replyTo = REPLY_TO, thread = THREAD, from, mailId }: Places = {}): Buffer {
  let text = readFileSync(`tests/fixtures/mail/${name}.eml`, "latin1")
    .replaceAll("@REPLY@", replyTo)
    .replaceAll("@THREAD@", thread)
    .replaceAll(/\r?\n/g, "\r\n");
  if (from) text = text.replace(/^From: .*$/m, `From: Ada Lovelace <${from}>`);
  if (mailId) text = text.replace(/^Message-I[dD]: .*$/m, `Message-ID: ${mailId}`);
  return Buffer.from(text, "latin1");
}
