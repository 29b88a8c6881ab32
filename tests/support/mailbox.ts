/** Emails in the shop's mailbox. */
export type MailboxEmail = {
  to: string;
  subject: string;
  text: string;
  links: string[];
  messageId: string;
  headers: Record<string, string>;
};

/** The newest email to an address whose subject contains or matches `subject`; waits for the outbox. */
export async function emailTo(shopUrl: string, to: string, subject: string | RegExp): Promise<MailboxEmail> {
  const isIn = (text: string) => (typeof subject === "string" ? text.includes(subject) : subject.test(text));
  const deadline = Date.now() + 60_000;
  for (;;) {
    const headers = { "Accept-Encoding": "identity" };
    const emails = (await (await fetch(`${shopUrl}/mailbox.json`, { headers })).json()) as MailboxEmail[];
    const found = emails.find((email) => email.to === to && isIn(email.subject));
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`No email '${String(subject)}' to ${to}`);
    await new Promise((done) => setTimeout(done, 250));
  }
}

/** The path of the link in an email that leads to `path`. */
export function linkIn(email: MailboxEmail, path: string): string {
  const link = email.links.map((each) => new URL(each)).find(({ pathname }) => pathname === path);
  if (!link) throw new Error(`No link to ${path} in ${email.text}`);
  return link.pathname + link.search;
}
