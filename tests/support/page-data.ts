/** Loader data of a page, from its `.data` address, and its words. */
import { UNSAFE_decodeViaTurboStream as decode } from "react-router";

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
