/** Loader data of a page, from its `.data` address. */
import { UNSAFE_decodeViaTurboStream as decode } from "react-router";

export async function pageData(answer: Response): Promise<Record<string, { data?: unknown }>> {
  if (!answer.body) throw new Error(`${answer.url} has no body`);
  const { value } = await decode(answer.body, globalThis as unknown as Window & typeof globalThis);
  return value as Record<string, { data?: unknown }>;
}
