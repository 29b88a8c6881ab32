/** Subject and opening lines of an email as staff have published them. */
import { renderToStaticMarkup } from "react-dom/server";
import { publishedText, type TextVersion } from "#shop/content/published.server.ts";
import { markdownOf } from "#shop/content/text-forms.ts";
import { fillWords, withWords } from "#shop/content/text-words.ts";
import { contentOfVersion } from "#shop/content/texts.server.ts";
import type { Email } from "./email.ts";

/** The names that an email adds to those of every text, with their values; {subject} is the shop's own. */
export const wordsOf = ({ placeholders, subject }: Email): Record<string, string> => ({ ...placeholders, subject });

/** Opening lines stand below the heading, before what the shop says. */
export function reworded(template: string, email: Email, shop: { baseUrl: string }): Email {
  const version = publishedText(`emails-${template}`);
  return version ? withWords(wordsOf(email), () => withWordsOf(version, email, shop)) : email;
}

function withWordsOf(version: TextVersion, email: Email, { baseUrl }: { baseUrl: string }): Email {
  const subject = fillWords(version.fields.subject ?? "").trim() || email.subject;
  if (!version.markdown) return { ...email, subject };
  const Content = contentOfVersion(version);
  const opening = renderToStaticMarkup(
    <div style={{ paddingBottom: "12px" }}>{Content({ components: { img: () => null } })}</div>,
  ).replaceAll('href="/', `href="${baseUrl}/`);
  return {
    ...email,
    subject,
    text: `${markdownOf(Content, `${baseUrl}/`)}\n\n${email.text}`,
    html: email.html.replace("</h1>", () => `</h1>${opening}`),
  };
}
