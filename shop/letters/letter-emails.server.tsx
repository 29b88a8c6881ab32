/** A letter as an email: Markdown, one picture, why it comes, and the link to unsubscribe. */
import { and, eq, ne } from "drizzle-orm";
import type { ReactNode } from "react";
import { Img } from "react-email";
import { contentOf, markdownProblem } from "#shop/content/markdown.ts";
import { markdownOf, plainText } from "#shop/content/text-forms.ts";
import { type Email, emailTemplate, type EmailShop, oneClick } from "#shop/mail/email.ts";
import { EmailHeading, emailHtml, EmailLayout, EmailLink, EmailText, GREEN } from "#shop/mail/email-layout.tsx";
import { settings } from "#shop/settings/settings.server.ts";
import { leavingLink } from "./audience.server.ts";
import { type Audience, AUDIENCE_WORDS, MAX_LETTER_CHARACTERS } from "./letter.ts";
import { letterRecipients, letters } from "./letter.tables.ts";
import { getLetter } from "./letters.server.ts";

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    letter: { recipientId: string };
    "letter-test": { letterId: string; email: string };
  }
}

type Written = { to: string; subject: string; markdown: string; audience: Audience; unsubscribe: string };

const PICTURE = /!\[[^\]]*\]\([^)]*\)/g;

/** What keeps a letter from being sent, in words; null if nothing does. */
export function letterProblem(markdown: string): string | null {
  if (markdown.length > MAX_LETTER_CHARACTERS) {
    const [has, most] = [markdown.length, MAX_LETTER_CHARACTERS].map((count) => count.toLocaleString("en-US"));
    return `This letter has ${has} characters, and at most ${most} fit. Nothing was saved; shorten it and save again.`;
  }
  const pictures = markdown.match(PICTURE)?.length ?? 0;
  if (pictures > 1) return `A letter has one picture at most, and this one has ${pictures}.`;
  // A picture is all that letters may have in addition to other emails.
  return markdownProblem(markdown) ?? markdownProblem(markdown.replaceAll(PICTURE, ""), true);
}

/** The letter as one person gets it. */
export function letterEmail({ to, subject, markdown, audience, unsubscribe }: Written, shop: EmailShop): Email {
  const Content = contentOf(markdown, "headings");
  const picture = ({ src = "", alt = "" }: { src?: string; alt?: string }) => (
    <Img
      src={`${shop.baseUrl}/images/${src}-og.jpg`}
      alt={alt}
      width="496"
      fetchPriority="low"
      style={{ width: "100%", height: "auto", borderRadius: "10px" }}
    />
  );
  const why = `We sent this to ${to} because ${AUDIENCE_WORDS[audience].because}.`;
  const html = emailHtml(
    <EmailLayout subject={subject} preview={plainText(Content).text.slice(0, 200)} shop={shop}>
      <EmailHeading>{subject}</EmailHeading>
      <div>{Content({ components: { img: picture } }) as ReactNode}</div>
      <EmailText look="small">
        {why} <EmailLink href={unsubscribe}>Unsubscribe</EmailLink>
      </EmailText>
    </EmailLayout>,
  );
  return {
    to,
    subject,
    text: [
      markdownOf(Content, `${shop.baseUrl}/`),
      `${why}\nUnsubscribe: ${unsubscribe}`,
      settings().contact.postalAddress.join(", "),
    ].join("\n\n"),
    html: html
      .replaceAll('href="/', `href="${shop.baseUrl}/`)
      .replaceAll(/<a href="([^"]*)">/g, `<a href="$1" style="color:${GREEN}">`),
    headers: oneClick(unsubscribe),
  };
}

/** The link of a test leads to the page for incomplete links. */
const sampleLink = ({ baseUrl }: EmailShop) => `${baseUrl}/unsubscribe`;

/** The letter as staff see it before anyone gets it. */
export const letterSample = (letter: Omit<Written, "to" | "unsubscribe">, to: string, shop: EmailShop): Email =>
  letterEmail({ ...letter, to, unsubscribe: sampleLink(shop) }, shop);

const sample: Written = {
  to: "ada@example.com",
  subject: "The picnic basket fits a bowl",
  markdown:
    "![A bowl in a basket](lifestyle-picnic)\n\nTake it along. It stays cold for **four hours**.\n\n[See it](/shop)",
  audience: "news",
  unsubscribe: "http://localhost:3000/unsubscribe?k=sample",
};

export const letterEmails = {
  letter: emailTemplate({
    async load(db, { recipientId }: { recipientId: string }, shop): Promise<Written | null> {
      const { subject, markdown, audience, state } = letters;
      const [found] = await db
        .select({ to: letterRecipients.email, subject, markdown, audience })
        .from(letterRecipients)
        .innerJoin(letters, eq(letters.id, letterRecipients.letterId))
        .where(and(eq(letterRecipients.id, recipientId), ne(state, "stopped")));
      const unsubscribe = found && (await leavingLink(db, found.audience, found.to, shop));
      return unsubscribe ? { ...found, unsubscribe } : null;
    },
    render: letterEmail,
    atMostOnce: true,
    samples: { "to someone who asked for news": sample },
  }),
  "letter-test": emailTemplate({
    async load(db, { letterId, email }: { letterId: string; email: string }, shop): Promise<Written | null> {
      const letter = await getLetter(db, letterId);
      return letter && { ...letter, to: email, unsubscribe: sampleLink(shop) };
    },
    render: (letter, shop) => {
      const { headers: _, ...email } = letterEmail(letter, shop);
      return { ...email, subject: `Test: ${email.subject}` };
    },
    samples: { "to a member of the staff": sample },
  }),
};
