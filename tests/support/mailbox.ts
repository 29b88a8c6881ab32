/** What the shop has mailed, as its own mailbox shows it. */
export type MailboxLetter = { to: string; subject: string; text: string; links: string[] };

/** The newest letter to an address whose subject contains `subject`; waits for the outbox. */
export async function letterTo(shopUrl: string, to: string, subject: string): Promise<MailboxLetter> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const letters = (await (await fetch(`${shopUrl}/mailbox.json`)).json()) as MailboxLetter[];
    const found = letters.find((letter) => letter.to === to && letter.subject.includes(subject));
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`No letter '${subject}' to ${to}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** The path of the link in a letter that leads to `path`. */
export function linkIn(letter: MailboxLetter, path: string): string {
  const link = letter.links.map((each) => new URL(each)).find(({ pathname }) => pathname === path);
  if (!link) throw new Error(`No link to ${path} in ${letter.text}`);
  return link.pathname + link.search;
}
