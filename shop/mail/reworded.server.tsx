/** Subject and opening lines of an email as staff have published them. */
import { renderToStaticMarkup } from "react-dom/server";
import { publishedText } from "#shop/content/published.server.ts";
import { markdownOf } from "#shop/content/text-forms.ts";
import { fillWords } from "#shop/content/text-words.ts";
import { contentOfVersion } from "#shop/content/texts.server.ts";
import type { Email } from "./email.ts";

/** Opening lines stand below the heading, before what the shop says; {subject} is the shop's own. */
export function reworded(template: string, email: Email, { baseUrl }: { baseUrl: string }): Email {
  const version = publishedText(`emails-${template}`);
  if (!version) return email;
  const own = fillWords(version.fields.subject ?? "").trim();
  const subject = own ? own.replaceAll("{subject}", () => email.subject) : email.subject;
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
