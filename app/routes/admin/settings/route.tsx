import { done, refused } from "#app/http/form.server.ts";
import { staffMay } from "#app/session/staff.server.ts";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import { db } from "#platform/database.server.ts";
import { clock } from "#shop/clock.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { availableMethods, hasPayments } from "#shop/payment-mode.ts";
import { METHOD_NAMES, type MethodName } from "#shop/payments/payment-method.ts";
import { dayText } from "#shop/policy-text.ts";
import { textDocuments } from "#shop/search/documents.server.ts";
import { fillSearch } from "#shop/search/search.server.ts";
import { settingsForms } from "#shop/settings/settings-form.ts";
import { typedSettings } from "#shop/settings/typed-settings.ts";
import {
  listSettings,
  loadSettings,
  saveSettings,
  settings,
  type ShippingGap,
  withdrawSettings,
} from "#shop/settings/settings.server.ts";
import type { Section as SectionName, Settings } from "#shop/settings/settings.ts";
import { z } from "#shop/zod.ts";
import { actions, fieldError, handle, type Action, type Context } from "../action.server.ts";
import type { Route } from "./+types/route.ts";
import { History } from "./history.tsx";
import { SettingsSection } from "./section.tsx";
import { SECTIONS, settingName, summaryOf } from "./sections.ts";

/** Sections that the member may change. */
const sectionsOf = (context: Context): SectionName[] =>
  (Object.keys(SECTIONS) as SectionName[]).filter((section) => staffMay(context, SECTIONS[section].permission));

export async function loader({ context }: Route.LoaderArgs) {
  const { settings, states, versions } = await listSettings(db);
  const sections = sectionsOf(context);
  const changes = versions.map(({ id, section, changes, effectiveOn, createdAt, by, isPlanned, withdrawnAt }) => ({
    id,
    section,
    title: SECTIONS[section].title,
    texts: changes.map(({ name, from, to }) => `${settingName(section, name)}: ${from} → ${to}`),
    effectiveOn,
    createdAt,
    by,
    isPlanned,
    isWithdrawn: withdrawnAt !== null,
  }));
  const typed = typedSettings(settings);
  const forms = sections.map((section) => ({
    section,
    state: states[section],
    typed: typed[section],
    summary: summaryOf(section, settings[section]),
  }));
  const missing = Object.fromEntries(METHOD_NAMES.flatMap((name) => (isSetUp(name) ? [] : [[name, notSetUp()]])));
  return { forms, changes, missing, today: newYorkDay(clock.now()) };
}

const isSetUp = (name: MethodName) => availableMethods().includes(name);

/** Variables that a method of payment needs to be set up. */
const notSetUp = () =>
  `Not available until ${hasPayments() ? "PAYPAL_CLIENT_ID and PAYPAL_SECRET are" : "PAYMENTS is"} set`;

/** Other processes hear of it; this one has it before it answers. */
async function takeOver(): Promise<void> {
  await loadSettings(db);
  await fillSearch(db, textDocuments());
}

const changedBy = (by: string | null) =>
  `${by ? `${by} changed these settings` : "These settings have changed"} since you opened this page. Nothing is saved. Save again to overwrite, or reload to see them.`;

const gapWords = ({ day, lacks }: ShippingGap) =>
  `no ${lacks === "offered" ? "shipping method would be offered" : "offered shipping method would be free"} starting ${dayText(day)}`;

type Change<Name extends SectionName> = {
  effectiveOn: string;
  lastDay: string;
  state: string;
  value: Settings[Name];
};

const save = <Name extends SectionName>(section: Name) =>
  async function run(action: Action<Change<Name>>) {
    const today = newYorkDay(clock.now());
    const effectiveOn = SECTIONS[section].hasDays ? action.value.effectiveOn : today;
    const endsOn = action.value.lastDay && daysAfter(action.value.lastDay, 1);
    const saved = await saveSettings(db, action.by, { section, ...action.value, effectiveOn, endsOn });
    if (!saved.ok && saved.reason === "past") return fieldError(action, "effectiveOn", "Choose today or a later day");
    if (!saved.ok && saved.reason === "end")
      return fieldError(action, "lastDay", "Choose the first day or a later one");
    if (!saved.ok && saved.reason === "gap") {
      const words = `With the planned changes, ${gapWords(saved.gap)}. Nothing is saved. Withdraw a planned change first, or save something else.`;
      return refused(action, words);
    }
    if (!saved.ok) return refused(action, changedBy(saved.by));
    if (!saved.hasChanged) return done(action, "No changes to save.", { clears: true });
    await takeOver();
    const message =
      effectiveOn === today ? "Saved. Changes are live." : `Saved. It takes effect on ${dayText(effectiveOn)}.`;
    const end = endsOn ? ` The earlier values return on ${dayText(endsOn)}.` : "";
    return done(action, message + end, { clears: true });
  };

/** A method whose provider is missing can stay on, but not be turned on. */
async function savePayments(action: Action<Change<"payments">>) {
  const before = settings().payments;
  const name = METHOD_NAMES.find((each) => action.value.value[each] && !before[each] && !isSetUp(each));
  return name ? fieldError(action, name, notSetUp()) : save("payments")(action);
}

const isSensitive = { isSensitive: true };

export const action = actions({
  shipping: handle(settingsForms.shipping, save("shipping"), isSensitive),
  returns: handle(settingsForms.returns, save("returns"), isSensitive),
  contact: handle(settingsForms.contact, save("contact"), isSensitive),
  payments: handle(settingsForms.payments, savePayments, isSensitive),
  tax: handle(settingsForms.tax, save("tax"), isSensitive),
  social: handle(settingsForms.social, save("social"), isSensitive),
  parcels: handle(settingsForms.parcels, save("parcels"), isSensitive),
  limits: handle(settingsForms.limits, save("limits"), isSensitive),
  withdraw: handle(
    z.object({ key: z.coerce.number().int().positive() }),
    async (action) => {
      const { ok, gap } = await withdrawSettings(db, action.by, action.value.key, sectionsOf(action.context));
      if (gap) return refused(action, `It stays planned: without it, ${gapWords(gap)}.`);
      if (!ok) return refused(action, "It can’t be withdrawn anymore.");
      await takeOver();
      return done(action, "Withdrawn.");
    },
    isSensitive,
  ),
});
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

export default function SettingsScreen({ loaderData: { forms, changes, missing, today } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Settings" />
      {forms.map((form) => (
        <SettingsSection
          key={form.section}
          {...form}
          planned={changes.filter(({ section, isPlanned }) => isPlanned && section === form.section)}
          missing={missing}
          today={today}
        />
      ))}
      <History changes={changes} />
    </>
  );
}
