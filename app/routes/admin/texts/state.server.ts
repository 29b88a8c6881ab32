import { db } from "#platform/database.server.ts";
import { listColors } from "#shop/catalog/catalog.server.ts";
import { clock } from "#shop/clock.ts";
import { listNewest, type VersionRow } from "#shop/content/edit-text.server.ts";
import { hasEnded, publishedText, type TextVersion } from "#shop/content/published.server.ts";
import { type EditableText, firstText, firstTextKeys } from "#shop/content/text-form.server.ts";
import { fillWords } from "#shop/content/text-words.ts";
import { emails } from "#shop/emails.server.ts";
import { reworded, wordsOf } from "#shop/mail/reworded.server.tsx";
import { config } from "#platform/config.server.ts";
import { notFound } from "../guard.server.ts";
import { emailMoments } from "./email-list.ts";
import { nameOf, type TextState } from "./status.tsx";

const EMAIL = "emails-";

export const emailOf = (key: string): keyof typeof emails | null => {
  const name = key.slice(EMAIL.length);
  return key.startsWith(EMAIL) && Object.hasOwn(emails, name) ? (name as keyof typeof emails) : null;
};

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

/** Occasion and subject matter of an email; null for another text. */
export const momentOf = (key: string) => emailMoments.find(({ template }) => EMAIL + template === key) ?? null;

/** The names that an email alone knows, as its first sample has them; none for another text. */
export function placeholdersOf(key: string): Record<string, string> {
  const template = emailOf(key);
  const [email] = template ? Object.values(emails[template].samples(config())) : [];
  return email ? wordsOf(email) : {};
}

/** `at` is the id of the part to begin at. */
export type Sample = { name: string; to?: string; subject?: string; html: string; at?: string };

/** An email with sample data, as it reads now; none for another text. */
export function emailSamples(key: string): Sample[] {
  const template = emailOf(key);
  if (!template) return [];
  return Object.entries(emails[template].samples(config())).map(([name, email]) => {
    const { subject, html } = reworded(template, email, config());
    return { name, to: email.to, subject, html };
  });
}

/** The state of a version beside the one that is shown. */
export function stateOf(row: VersionRow, shown: TextVersion | null): TextState {
  const { publishAt, version } = row;
  if (publishAt === null) return "draft";
  if (row.isReplaced) return "replaced";
  if (publishAt > clock.now()) return "scheduled";
  if (version === shown?.version) return hasEnded(shown.fields, clock.now()) ? "ended" : "live";
  return row.isWithdrawn ? "withdrawn" : "earlier";
}

/** The version that was published last, shown or scheduled; `versions` are newest first. */
export const newestPublished = (versions: VersionRow[]): VersionRow | undefined =>
  versions.find(({ publishAt }) => publishAt !== null);

/** The name of a text, by the title of its newest version. */
export const titleOf = (key: string, newest: string | null | undefined): string =>
  nameOf(key) ?? fillWords((newest ?? firstText(key)?.fields.title) || key);

export type TextRow = {
  key: string;
  title: string;
  /** The heading below which the list has it. */
  group: string;
  /** Empty for an email. */
  path: string;
  /** Occasion of an email; empty for another text. */
  sent: string;
  state: TextState;
  publishAt: Date | null;
  changed: { at: Date; by: string | null } | null;
};

/** All texts by group, those changed last first. */
export async function listTexts(): Promise<[group: string, rows: TextRow[]][]> {
  const newest = new Map((await listNewest(db)).map((row) => [row.key, row]));
  const keys = [
    ...new Set([...firstTextKeys(), ...newest.keys(), ...emailMoments.map(({ template }) => EMAIL + template)]),
  ];
  const rows = keys.flatMap((key): TextRow[] => {
    const first = firstText(key);
    const row = newest.get(key);
    if (!first) return [];
    const title = titleOf(key, row?.title);
    const state = row ? stateOf(row, publishedText(key)) : "first";
    const changed = row ? { at: row.createdAt, by: row.by } : null;
    const { group = first.group, sent = "" } = momentOf(key) ?? {};
    return [{ key, title, group, path: first.path, sent, state, publishAt: row?.publishAt ?? null, changed }];
  });
  const lastChange = ({ changed }: TextRow) => changed?.at.getTime() ?? 0;
  return [...Map.groupBy(rows, ({ group }) => group)].map(([group, of]) => [
    group,
    of.toSorted((one, other) => lastChange(other) - lastChange(one)),
  ]);
}
