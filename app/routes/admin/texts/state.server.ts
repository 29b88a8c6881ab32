import { db } from "#platform/database.server.ts";
import { listColors } from "#shop/catalog/catalog.server.ts";
import { clock } from "#shop/clock.ts";
import type { VersionRow } from "#shop/content/edit-text.server.ts";
import { type EditableText, firstText } from "#shop/content/text-form.server.ts";
import { emails } from "#shop/emails.server.ts";
import { notFound } from "../guard.server.ts";
import type { TextState } from "./status.tsx";

const EMAIL = "emails-";

export const emailOf = (key: string): keyof typeof emails | null => {
  const name = key.slice(EMAIL.length);
  return key.startsWith(EMAIL) && Object.hasOwn(emails, name) ? (name as keyof typeof emails) : null;
};

export const emailKeys = (): string[] => Object.keys(emails).map((name) => EMAIL + name);

/** The text of a key; throws a 404 without one. */
export function requireText(key: string | undefined): EditableText {
  const text = firstText(key ?? "");
  if (!text || (text.group === "Emails" && !emailOf(text.key))) throw notFound();
  return text;
}

/** The page that shows a text: for the questions about bowls, the first bowl. */
export async function pageOf({ key, path }: EditableText): Promise<string> {
  const [bowl] = key === "faq" ? await listColors(db, "Pro") : [];
  return bowl ? `/product/${bowl.slug}` : path;
}

/** The state of a version beside the one that is shown. */
export function stateOf(row: VersionRow, shown: { version: number } | null): TextState {
  if (row.publishAt === null) return "draft";
  if (row.publishAt > clock.now()) return "scheduled";
  if (row.version === shown?.version) return "live";
  return row.isWithdrawn ? "withdrawn" : "earlier";
}
