/** `npm run notice -- TEXT RECIPIENTS [--send]`: emails a notice to each recipient once. Without --send nothing is stored. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { emailField } from "#shop/email-field.ts";
import { addRecipients, noticeSchema } from "#shop/privacy/notices.server.ts";
import { runCommand } from "./run-command.ts";

/** Rolls a dry run back. */
class DryRun extends Error {}

function readNotice(file: string) {
  const [subject = "", ...lines] = readFileSync(file, "utf8").split("\n");
  const read = noticeSchema.safeParse({ id: basename(file).replace(/\.\w+$/, ""), subject, body: lines.join("\n") });
  if (!read.success) throw new Error(read.error.issues.map(({ message }) => message).join("\n"));
  return read.data;
}

function readEmails(file: string): string[] | "everyone" {
  if (file === "everyone") return file;
  const lines = readFileSync(file, "utf8").split(/\r?\n/);
  const filled = lines
    .map((line, i) => ({ line: i + 1, email: line.trim().toLowerCase() }))
    .filter(({ email }) => email);
  const wrong = filled.filter(({ email }) => !emailField().safeParse(email).success).map(({ line }) => line);
  if (wrong.length > 0) throw new Error(`No email in line ${wrong.join(", ")} of ${file}.`);
  if (filled.length === 0) throw new Error(`${file} names nobody.`);
  return filled.map(({ email }) => email);
}

await runCommand(async ({ db }) => {
  const [text, recipients, flag] = process.argv.slice(2);
  if (!text || !recipients || (flag && flag !== "--send"))
    throw new Error("Name the text and its recipients: npm run notice -- breach-2026-11.txt emails.txt [--send]");
  const [notice, emails] = [readNotice(text), readEmails(recipients)];
  const say = ({ added, recipients: all, queued }: { added: number; recipients: number; queued: number }) =>
    console.log(`\n  ${notice.subject}\n  ${added} new recipients of ${all}, ${queued} of whom were emailed before`);
  await db
    .transaction(async (tx) => {
      const result = await addRecipients(tx, notice, emails);
      if (!result.ok) throw new Error(`Another text was sent as ${notice.id}. Give this one's file another name.`);
      say(result);
      if (!flag) throw new DryRun();
    })
    .catch((error: unknown) => {
      if (!(error instanceof DryRun)) throw error;
    });
  console.log(flag ? "  The worker emails them from now on.\n" : "  Nothing was sent: add --send to send it.\n");
});
