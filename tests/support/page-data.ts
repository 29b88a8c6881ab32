/** Loader data of a page, from its `.data` address, and its words. */
import { UNSAFE_decodeViaTurboStream as decode } from "react-router";
import { unescapeHtml } from "./crawl.ts";

export async function pageData(answer: Response): Promise<Record<string, { data?: unknown }>> {
  if (!answer.body) throw new Error(`${answer.url} has no body`);
  const { value } = await decode(answer.body, globalThis as unknown as Window & typeof globalThis);
  return value as Record<string, { data?: unknown }>;
}

/** The words of a page as they are read. */
export const textOf = (html = "") =>
  html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, "")
    // React puts a comment between two texts.
    .replaceAll("<!-- -->", "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");

/** What the form of an intent sends as it is opened. */
export function fieldsOf(html: string, intent: string): Record<string, string> {
  const form = html.match(/<form[^>]*>[^]*?<\/form>/g)?.find((each) => each.includes(`intent=${intent}`)) ?? "";
  const fields: Record<string, string> = {};
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const [, name] = /name="([^"]+)"/.exec(input) ?? [];
    const isBox = /type="(?:checkbox|radio)"/.test(input);
    if (!name || input.includes('type="file"') || (isBox && !input.includes('checked=""'))) continue;
    fields[name] = unescapeHtml(/value="([^"]*)"/.exec(input)?.[1] ?? (isBox ? "on" : ""));
  }
  for (const [, name = "", value = ""] of form.matchAll(/<textarea[^>]*name="([^"]+)"[^>]*>([^]*?)<\/textarea>/g))
    fields[name] = unescapeHtml(value).replace(/^\n/, "");
  for (const [, name = "", options = ""] of form.matchAll(/<select[^>]*name="([^"]+)"[^>]*>([^]*?)<\/select>/g)) {
    const [, chosen = "", words = ""] = /<option([^>]*selected=""[^>]*)>([^<]*)/.exec(options) ?? [];
    fields[name] = unescapeHtml(/value="([^"]*)"/.exec(chosen)?.[1] ?? words);
  }
  return fields;
}
