/** Versions of a legal text by their days of effect. The edition of the code has the day that it names. */
import { db } from "#platform/database.server.ts";
import { listDays, versionOfDay } from "#shop/content/edit-text.server.ts";
import { legalTextAt, textKey } from "#shop/content/texts.server.ts";
import { isLegal, plainTexts } from "#shop/pages.ts";

/** Days of the versions other than `day`, newest first; none for a text that is not legal. */
export async function otherVersions(path: string, day: string): Promise<string[]> {
  const page = plainTexts.find((one) => one.path === path);
  if (!page || !isLegal(page)) return [];
  const days = new Set([...(await listDays(db, textKey(page))), legalTextAt(path, null).front.updated]);
  days.delete(day);
  return [...days];
}

/** The version of a day; null if there is none. */
export async function readLegalVersion(path: string, day: string) {
  const page = plainTexts.find((one) => one.path === path);
  if (!page || !/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day))) return null;
  const version = await versionOfDay(db, textKey(page), day);
  if (version) return legalTextAt(path, version);
  const first = legalTextAt(path, null);
  return first.front.updated === day ? first : null;
}
