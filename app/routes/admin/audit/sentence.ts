/** Rows of the audit log as staff read them: "refunded $20.00 (goodwill) on order c52aee86". */
import { AUDIT_SENTENCES } from "#shop/audit/actions.ts";
import type { AuditValues } from "#shop/audit/audit.tables.ts";
import { formatMoney } from "#shop/money.ts";
import { counted } from "#shop/units.ts";
import { dayWords } from "#app/ui/admin/when.tsx";
import { formatDate } from "#app/ui/time/format-date.ts";
import { orderNumber } from "#shop/orders/order.ts";

export type AuditRow = {
  action: string;
  subject: string | null;
  subjectName: string | null;
  shipOutcome?: "refused" | "waiting" | null;
  before: AuditValues | null;
  after: AuditValues | null;
};

/** "compareAtPriceCents" as "compare at price", "standard.priceCents" as "standard price". */
const FIELD_WORDS: Record<string, string> = { slug: "URL handle", shipsFrom: "ship date", weightOz: "weight" };
const fieldWords = (name: string) =>
  Object.hasOwn(FIELD_WORDS, name)
    ? FIELD_WORDS[name]!
    : name
        .replace(/Cents$|^cents$/, name === "cents" ? "amount" : "")
        .replace(".", " ")
        .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function valueWords(name: string, value: AuditValues[string] | undefined): string {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return /cents$/i.test(name) ? formatMoney(value) : String(value);
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return dayWords(value, { dateStyle: "medium" });
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value))
    return formatDate(new Date(value), { dateStyle: "medium", timeStyle: "short", timeZone: "America/New_York" });
  return name !== "slug" && /^[a-z]+(?:-[a-z]+)+$/.test(value) ? value.replaceAll("-", " ") : value;
}

const fieldsOf = ({ before, after }: AuditRow) =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((name) => name !== "version");

export type Detail = { name: string; before: string | null; after: string | null };

/** Values before and after a change; null where only one of them was recorded. */
export const detailsOf = (row: AuditRow): Detail[] =>
  fieldsOf(row).map((name) => ({
    name: fieldWords(name),
    before: row.before && valueWords(name, row.before[name]),
    after: row.after && valueWords(name, row.after[name]),
  }));

/** "{x}", "{was.x}" or "{x:person:people}". */
const PLACES = /\{(was\.)?(?!subject)(\w+)(?::(\w+):(\w+))?\}/g;

/** Instead of "shipped {subject}". */
const NOT_SHIPPED = {
  refused: "tried to ship {subject}, whose charge the bank refused",
  waiting: "asked to ship {subject}, which waits for its charge",
};

/** The words before and after the subject, null without one. An action that is no longer known stands as recorded. */
export function sentenceOf(row: AuditRow): { before: string; after: string | null } {
  const known = Object.hasOwn(AUDIT_SENTENCES, row.action)
    ? AUDIT_SENTENCES[row.action as keyof typeof AUDIT_SENTENCES]
    : `${row.action} {subject}`;
  const sentence = row.shipOutcome ? NOT_SHIPPED[row.shipOutcome] : known;
  const filled = sentence.replaceAll(PLACES, (_match, was?: string, name = "", one?: string, many?: string) => {
    const value = (was ? row.before : row.after)?.[name];
    if (one && typeof value === "number") return counted(value, one, many);
    return name === "fields" ? fieldsOf(row).map(fieldWords).join(", ") : valueWords(name, value);
  });
  const [before = "", after = null] = filled.split("{subject}");
  return { before, after };
}

type Subject = { words: string; href?: string };

const SUBJECTS: Record<string, (id: string, name: string | null) => Subject> = {
  order: (id) => ({ words: `order ${orderNumber(id)}`, href: `/admin/orders/${id}` }),
  return: (id, name) => ({ words: `return ${name ?? ""}`, href: `/admin/returns/${id}` }),
  product: (id, name) => (name ? { words: name, href: `/admin/products/${id}` } : { words: "a deleted product" }),
  customer: (id, name) => (name ? { words: name, href: `/admin/customers/${id}` } : { words: "a deleted account" }),
  staff: (id, name) => (name ? { words: name, href: `/admin/staff/${id}` } : { words: "a former member" }),
  message: (id) => ({ words: "a message", href: `/admin/messages/${id}` }),
  privacy: (id) => ({ words: "a privacy request", href: `/admin/legal/${id}` }),
  settings: (id) => ({ words: `the settings of ${id}`, href: "/admin/settings" }),
  text: (key, name) => ({ words: `the text “${name ?? key}”`, href: `/admin/texts/${key}` }),
  letter: (id, name) =>
    name ? { words: `the letter “${name}”`, href: `/admin/letters/${id}` } : { words: "a deleted letter" },
  guest: (id) => ({ words: `the guest ${id}` }),
  color: (id) => ({ words: `the color ${id}` }),
};

export function subjectOf({ subject, subjectName }: AuditRow): Subject | null {
  if (subject === null) return null;
  const at = subject.indexOf(":");
  return SUBJECTS[subject.slice(0, at)]?.(subject.slice(at + 1), subjectName) ?? null;
}
