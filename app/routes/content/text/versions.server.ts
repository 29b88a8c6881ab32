/** Versions of a legal text by their days of effect. The edition of the code has the day that it names. */
import { db } from "#platform/database.server.ts";
import { renderText } from "#app/http/rendered-text.server.tsx";
import { clock } from "#shop/clock.ts";
import { listDays, versionOfDay, wasPublishedFor } from "#shop/content/edit-text.server.ts";
import { legalTextAt, textKey } from "#shop/content/texts.server.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { isLegal, plainTexts } from "#shop/pages.ts";
import { withSettingsOf } from "#shop/settings/settings.server.ts";

const legalPage = (path: string) => plainTexts.find((page) => page.path === path && isLegal(page));

/** Days of the versions other than `day`, newest first; none for a text that is not legal. */
export async function otherVersions(path: string, day: string): Promise<string[]> {
  const page = legalPage(path);
  if (!page) return [];
  const days = new Set([...(await listDays(db, textKey(page))), legalTextAt(path, null).front.updated]);
  days.delete(day);
  return [...days];
}

/**
 * The version of a day, with the numbers of a moment at which it was in force, such as that of an order, else those of its
 * last day; null if there is none, 'moved' if it was moved to another day or replaced before.
 */
export async function readLegalVersion(path: string, day: string, at: Date | null = null) {
  const page = legalPage(path);
  if (!page || !/^\d{4}-\d\d-\d\d$/.test(day)) return null;
  const version = await versionOfDay(db, textKey(page), day);
  if (!version && legalTextAt(path, null).front.updated !== day)
    return (await wasPublishedFor(db, textKey(page), day)) ? "moved" : null;
  const versions = await otherVersions(path, day);
  const today = newYorkDay(clock.now());
  const next = versions.findLast((other) => other > day && other <= today);
  const lastDay = next ? daysAfter(next, -1) : day > today ? day : today;
  const ordered = at && newYorkDay(at) >= day && newYorkDay(at) <= lastDay ? at : null;
  const shownDay = ordered ? newYorkDay(ordered) : lastDay;
  const show = () => {
    const { front, Content } = legalTextAt(path, version, shownDay);
    return { ...front, ...renderText(Content), versions };
  };
  return withSettingsOf(shownDay, show, ordered ?? undefined);
}
