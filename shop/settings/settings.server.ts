/** Settings in force. Each process holds them, and reads them again when it hears of a change. */
import { AsyncLocalStorage } from "node:async_hooks";
import { isDeepStrictEqual } from "node:util";
import { asc, desc, eq, sql } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay, newYorkMoment } from "#shop/new-york-time.ts";
import { policyWordsOf, type PolicyWords } from "#shop/policy-text.ts";
import { singleton } from "#shop/singleton.ts";
import { setSocialLinks } from "#shop/social-links.ts";
import {
  changesOf,
  FIRST_SETTINGS,
  isGroup,
  lackOf,
  settingsOf,
  valuesBefore,
  type Section,
  type SettingChange,
  type Settings,
  type Version,
} from "./settings.ts";
import { settingsVersions } from "./settings.tables.ts";

type Held = { versions: Version[]; settings: Settings; words: PolicyWords; until: Date | null };

function heldFrom(all: Version[]): Held {
  const versions = all.filter(({ withdrawnAt }) => withdrawnAt === null);
  const today = newYorkDay(clock.now());
  const settings = settingsOf(versions, today);
  const [next] = versions.flatMap(({ effectiveOn }) => (effectiveOn > today ? [effectiveOn] : [])).toSorted();
  const until = next ? newYorkMoment(`${next}T00:00`) : null;
  setSocialLinks(settings.social);
  return { versions, settings, words: policyWordsOf(settings), until };
}

type OfDay = Pick<Held, "settings" | "words">;

const kept = singleton("settings", () => ({
  held: heldFrom([]),
  loading: Promise.resolve(),
  ofDay: new AsyncLocalStorage<OfDay>(),
}));

function held(): Held {
  const { until, versions } = kept.held;
  if (until && clock.now() >= until) kept.held = heldFrom(versions);
  return kept.held;
}

const shown = (): OfDay => kept.ofDay.getStore() ?? held();

/** The settings in force now. */
export const settings = (): Settings => shown().settings;

/** PolicyWords in words, for texts: {policyWords().returnDays} is "30 days". */
export const policyWords = (): PolicyWords => shown().words;

/** The settings in force at a moment: an order keeps those of the time at which it was placed. */
export const settingsAt = (at: Date): Settings => settingsOf(held().versions, newYorkDay(at), at);

/** Days until today from which versions count, newest first. */
export const settingsDays = (): string[] => {
  const today = newYorkDay(clock.now());
  const days = held().versions.flatMap(({ effectiveOn }) => (effectiveOn <= today ? [effectiveOn] : []));
  return [...new Set(days)].toSorted().toReversed();
};

/** Runs `run` with the settings of a day, YYYY-MM-DD in New York, or of a moment of it: what a text said then. */
export function withSettingsOf<Result>(day: string, run: () => Result, at?: Date): Result {
  const settings = settingsOf(held().versions, day, at);
  return kept.ofDay.run({ settings, words: policyWordsOf(settings) }, run);
}

/** Midnight at which other settings begin; null if none are planned. */
export const settingsUntil = (): Date | null => held().until;

const readVersions = (db: DatabaseOrTransaction): Promise<Version[]> =>
  db.select().from(settingsVersions).orderBy(asc(settingsVersions.id));

/** Reads the settings into this process: at its start, and after each change. A later call ends with the later rows. */
export function loadSettings(db: DatabaseOrTransaction): Promise<void> {
  kept.loading = kept.loading
    .catch(() => {})
    .then(async () => {
      kept.held = heldFrom(await readVersions(db));
    });
  return kept.loading;
}

/** The settings in force now, as a transaction sees them. */
export const readSettings = async (tx: DatabaseOrTransaction): Promise<Settings> =>
  settingsOf(await readVersions(tx), newYorkDay(clock.now()));

/** Names the versions of a section that are known, and those planned: a form that saw others is out of date. */
function stateOf(versions: readonly Version[], section: Section): string {
  const own = versions.filter((version) => version.section === section);
  const today = newYorkDay(clock.now());
  return `${own.length}-${own.filter((version) => isPlanned(version, today)).length}`;
}

/** True if the day of a version has not come. */
function isPlanned({ effectiveOn, withdrawnAt }: Version, today: string): boolean {
  return effectiveOn > today && withdrawnAt === null;
}

export type ListedVersion = Version & { by: string | null; isPlanned: boolean; changes: SettingChange[] };

/** Sections as staff see them: the settings in force, the state that a form saw, and all versions, newest first. */
export async function listSettings(
  db: Database,
): Promise<{ settings: Settings; states: Record<Section, string>; versions: ListedVersion[] }> {
  const rows = await db
    .select({ version: settingsVersions, by: users.name })
    .from(settingsVersions)
    .leftJoin(users, eq(users.id, settingsVersions.staffId))
    .orderBy(desc(settingsVersions.id));
  const today = newYorkDay(clock.now());
  const all = rows.map(({ version }) => version);
  const versions = rows.map(({ version, by }) => ({
    ...version,
    by,
    isPlanned: isPlanned(version, today),
    changes: changesOf(version.value, valuesBefore(version, all)),
  }));
  const sections = Object.keys(FIRST_SETTINGS) as Section[];
  const states = Object.fromEntries(sections.map((section) => [section, stateOf(versions, section)]));
  return { settings: settingsOf(versions, today), states: states as Record<Section, string>, versions };
}

/** One change at a time; reading goes on. */
async function lockVersions(tx: DatabaseOrTransaction): Promise<Version[]> {
  await tx.execute(sql`LOCK TABLE settings_versions IN SHARE ROW EXCLUSIVE MODE`);
  return readVersions(tx);
}

/** The values of `next` that differ from `before`; of a group the parts that do. */
const differences = (before: Version["value"], next: Version["value"]): Version["value"] =>
  Object.fromEntries(
    Object.entries(next).flatMap(([name, value]) => {
      const was = before[name];
      if (isDeepStrictEqual(value, was)) return [];
      return [[name, isGroup(value) && isGroup(was) ? differences(was, value) : value]];
    }),
  );

/** The values in `from` of all that `changed` names. */
const valuesOf = (changed: Version["value"], from: Version["value"]): Version["value"] =>
  Object.fromEntries(
    Object.entries(changed).map(([name, value]) => {
      const was = from[name];
      return [name, isGroup(value) && isGroup(was) ? valuesOf(value, was) : was];
    }),
  );

/** Changes as the audit log has them, by name. */
const audited = (changes: readonly SettingChange[], side: "from" | "to"): Record<string, string> =>
  Object.fromEntries(changes.map((change) => [change.name, change[side]]));

/** The first day on which no method of shipping would be offered, or no offered one free. */
export type ShippingGap = { day: string; lacks: "offered" | "free" };

/** The gap that versions of shipping leave on a day or later; null for none. */
function gapFrom(day: string, versions: readonly Version[]): ShippingGap | null {
  const later = versions.flatMap(({ effectiveOn }) => (effectiveOn > day ? [effectiveOn] : []));
  for (const each of [day, ...later.toSorted()]) {
    const { standard, express, overnight } = settingsOf(versions, each).shipping;
    const lacks = lackOf([standard, express, overnight]);
    if (lacks) return { day: each, lacks };
  }
  return null;
}

type SaveResult =
  | { ok: true; hasChanged: boolean }
  | { ok: false; reason: "changed"; by: string | null }
  | { ok: false; reason: "past" }
  | { ok: false; reason: "end" }
  | { ok: false; reason: "gap"; gap: ShippingGap };

async function lastEditor(tx: DatabaseOrTransaction, section: Section): Promise<string | null> {
  const [last] = await tx
    .select({ name: users.name })
    .from(settingsVersions)
    .leftJoin(users, eq(users.id, settingsVersions.staffId))
    .where(eq(settingsVersions.section, section))
    .orderBy(desc(settingsVersions.id))
    .limit(1);
  return last?.name ?? null;
}

/**
 * Saves what changed in a section from a day on, YYYY-MM-DD in New York; from `endsOn`, "" for never, the values count that
 * would without it. Refusals: 'changed', with the name of the last editor, if `state` is not the section's any more,
 * 'past' for a day before today, 'end' for an end that is not later, 'gap' if it and what is planned leave one in
 * shipping.
 */
export function saveSettings<Name extends Section>(
  db: Database,
  by: Acting,
  change: { section: Name; value: Settings[Name]; effectiveOn: string; endsOn?: string; state: string },
): Promise<SaveResult> {
  const { section, effectiveOn, endsOn, state } = change;
  return transaction(db, async (tx): Promise<SaveResult> => {
    const versions = await lockVersions(tx);
    const today = newYorkDay(clock.now());
    if (stateOf(versions, section) !== state)
      return { ok: false, reason: "changed", by: await lastEditor(tx, section) };
    if (effectiveOn < today) return { ok: false, reason: "past" };
    if (endsOn && endsOn <= effectiveOn) return { ok: false, reason: "end" };
    const before = settingsOf(versions, today)[section];
    const value = differences(before, change.value);
    if (Object.keys(value).length === 0) return { ok: true, hasChanged: false };
    const added = [{ section, value, effectiveOn, staffId: by.staffId }];
    if (endsOn)
      added.push({ ...added[0]!, value: valuesOf(value, settingsOf(versions, endsOn)[section]), effectiveOn: endsOn });
    const saved = added.map((each) => ({ ...each, id: Infinity, createdAt: clock.now(), withdrawnAt: null }));
    const gap = section === "shipping" ? gapFrom(effectiveOn, [...versions, ...saved]) : null;
    if (gap) return { ok: false, reason: "gap", gap };
    await tx.insert(settingsVersions).values(added);
    const changes = changesOf(value, before);
    await writeAudit(tx, by, {
      action: "settings.change",
      subject: `settings:${section}`,
      before: audited(changes, "from"),
      after: { ...audited(changes, "to"), effectiveOn, ...(endsOn && { endsOn }) },
    });
    return { ok: true, hasChanged: true };
  });
}

/**
 * Withdraws a version of one of these sections. One whose day has come, or that was withdrawn, stays as it is, and one
 * that keeps others from leaving a `gap` in shipping.
 */
export function withdrawSettings(
  db: Database,
  by: Acting,
  id: number,
  sections: readonly Section[],
): Promise<{ ok: boolean; gap?: ShippingGap }> {
  return transaction(db, async (tx) => {
    const versions = await lockVersions(tx);
    const planned = versions.find((version) => version.id === id);
    if (!planned || !sections.includes(planned.section) || !isPlanned(planned, newYorkDay(clock.now())))
      return { ok: false };
    const others = versions.filter((version) => version !== planned);
    const gap = planned.section === "shipping" ? gapFrom(planned.effectiveOn, others) : null;
    if (gap) return { ok: false, gap };
    await tx
      .update(settingsVersions)
      .set({ withdrawnAt: sql`now()` })
      .where(eq(settingsVersions.id, id));
    await writeAudit(tx, by, {
      action: "settings.withdraw",
      subject: `settings:${planned.section}`,
      before: {
        ...audited(changesOf(planned.value, valuesBefore(planned, versions)), "to"),
        effectiveOn: planned.effectiveOn,
      },
    });
    return { ok: true };
  });
}
