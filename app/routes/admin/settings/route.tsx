import { useId, useState } from "react";
import { useLocation } from "react-router";
import { done, refused } from "#app/http/form.server.ts";
import { staffMay } from "#app/session/staff.server.ts";
import { useHydrated } from "#app/ui/chrome/page-state.ts";
import { ActionMessage, Submit, useActionResult } from "#app/ui/form/form.tsx";
import { AdminArea, AdminCheckbox, AdminForm, AdminText } from "#app/ui/admin/field.tsx";
import { PageHead, Status } from "#app/ui/admin/page-head.tsx";
import { SaveBar } from "#app/ui/admin/unsaved-changes.tsx";
import { dayWords } from "#app/ui/admin/when.tsx";
import { db } from "#platform/database.server.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { availableMethods, hasPayments } from "#shop/payment-mode.ts";
import { METHOD_NAMES, type MethodName } from "#shop/payments/payment-method.ts";
import { dayText } from "#shop/policy-text.ts";
import { textDocuments } from "#shop/search/documents.server.ts";
import { fillSearch } from "#shop/search/search.server.ts";
import { settingsForms, typedSettings } from "#shop/settings/settings-form.ts";
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
import { type Field, SECTIONS, settingName, summaryOf } from "./sections.ts";

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
  `no ${lacks === "offered" ? "shipping method would be offered" : "offered shipping method would be free"} from ${dayText(day)}`;

type Change<Name extends SectionName> = {
  effectiveOn: string;
  endsOn: string;
  state: string;
  value: Settings[Name];
};

const save = <Name extends SectionName>(section: Name) =>
  async function run(action: Action<Change<Name>>) {
    const { effectiveOn, endsOn } = action.value;
    const saved = await saveSettings(db, action.by, { section, ...action.value });
    if (!saved.ok && saved.reason === "past") return fieldError(action, "effectiveOn", "Choose today or a later day");
    if (!saved.ok && saved.reason === "end") return fieldError(action, "endsOn", "Choose a later day than the first");
    if (!saved.ok && saved.reason === "gap") {
      const words = `With the planned changes, ${gapWords(saved.gap)}. Nothing is saved. Withdraw a planned change first, or save something else.`;
      return refused(action, words);
    }
    if (!saved.ok) return refused(action, changedBy(saved.by));
    if (!saved.hasChanged) return done(action, "No changes to save.", { clears: true });
    await takeOver();
    const isToday = effectiveOn === newYorkDay(clock.now());
    const message = isToday ? "Saved. Changes are live." : `Saved. It takes effect on ${dayText(effectiveOn)}.`;
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
      if (!ok) return refused(action, "It can’t be withdrawn any more.");
      await takeOver();
      return done(action, "Withdrawn.");
    },
    isSensitive,
  ),
});
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

type Loaded = Route.ComponentProps["loaderData"];

type FormProps = Omit<Loaded["forms"][number], "summary"> & Pick<Loaded, "today" | "missing">;
type SectionProps = FormProps & { planned: Loaded["changes"]; summary: string };

/** Folded below its title, until it is used or the address names it; planned changes are always in sight. */
function SettingsSection({ planned, summary, ...form }: SectionProps) {
  const { section } = form;
  const id = useId();
  const { hash } = useLocation();
  const isNamed = useHydrated() && hash === `#${section}`;
  const own = `${section}-`;
  const isUsed = useActionResult(own) !== undefined;
  const [sent, setSent] = useState(own);
  const answer = useActionResult(sent);
  // A planned change that is withdrawn is gone with its form.
  const isGone = sent !== own && planned.every((change) => sent !== `withdraw-${change.id}`);
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-1 gap-3 border-t border-line py-3"
      onSubmit={({ target }) => setSent((target as HTMLFormElement).id)}
    >
      <details open={isNamed || isUsed}>
        <summary className="min-h-9 py-2 pointer-coarse:min-h-11">
          <h2 id={id} className="inline">
            {SECTIONS[section].title}
          </h2>
          <span className="block truncate text-ink-soft">{summary}</span>
        </summary>
        <div id={section} className="py-3">
          <SettingsForm {...form} hasAnswer={sent === own} />
        </div>
      </details>
      {planned.map((change) => (
        <Planned key={change.id} {...change} />
      ))}
      {isGone && answer && <ActionMessage result={answer} />}
    </section>
  );
}

function SettingsForm({ section, state, typed, today, missing, hasAnswer }: FormProps & { hasAnswer: boolean }) {
  const { note, fields } = SECTIONS[section];
  const groups = [...new Set(fields.map(({ group }) => group))];
  return (
    <AdminForm intent={section} className="grid max-w-3xl gap-4" messageAt="none">
      {({ result }) => (
        <>
          <input type="hidden" name="state" value={state} />
          {note && <p className="max-w-prose text-ink-soft">{note}</p>}
          {groups.map((group) => {
            const own = { fields: fields.filter((field) => field.group === group), typed, missing };
            if (!group) return <Fields key="" {...own} />;
            return (
              <fieldset key={group} className="min-w-0">
                <legend className="mb-2 font-semibold">{group}</legend>
                <Fields {...own} />
              </fieldset>
            );
          })}
          <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2">
            <AdminText
              name="effectiveOn"
              type="date"
              label="Takes effect on"
              hint="Today: at once. A later day: planned until then, and you can withdraw it."
              min={today}
              defaultValue={today}
            />
            <AdminText
              name="endsOn"
              type="date"
              label="Ends on (optional)"
              hint="For a promotion: from this day the earlier values apply again."
              min={today}
            />
          </div>
          <SaveBar formId={`${section}-`} result={hasAnswer ? result : undefined}>
            <Submit busy="Saving…" className="btn btn-primary">
              Save
            </Submit>
          </SaveBar>
        </>
      )}
    </AdminForm>
  );
}

type FieldsProps = Pick<FormProps, "typed" | "missing"> & { fields: Field[] };

function Fields({ fields, typed, missing }: FieldsProps) {
  const columns = fields.every(({ as }) => as === "tick")
    ? "grid-cols-2 gap-x-4 sm:grid-cols-4"
    : "gap-x-4 gap-y-3 sm:grid-cols-4";
  return (
    <div className={`grid items-start ${columns}`}>
      {fields.map(({ name, label, hint, as }) => {
        const field = { name, label, hint };
        if (as === "tick") return <Tick key={name} {...field} typed={typed[name]} missing={missing[name]} />;
        const Field = as === "area" ? AdminArea : AdminText;
        return <Field key={name} autoComplete="off" defaultValue={typed[name]} {...field} />;
      })}
    </div>
  );
}

type TickProps = { name: string; label: string; hint?: string; typed: string | undefined; missing: string | undefined };

/** A box that is on or off; without what it needs it stays as it is. */
function Tick({ typed, missing, ...field }: TickProps) {
  const isOn = typed === "on";
  if (!missing) return <AdminCheckbox {...field} isChecked={isOn} />;
  return (
    <>
      <AdminCheckbox {...field} hint={missing} isChecked={isOn} isDisabled />
      {isOn && <input type="hidden" name={field.name} value="on" />}
    </>
  );
}

type ListedChange = Loaded["changes"][number];

function Planned({ id, texts, effectiveOn }: ListedChange) {
  return (
    <AdminForm intent="withdraw" of={String(id)} className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Status tone="soon">{`Planned from ${dayWords(effectiveOn)}`}</Status>
      <span className="min-w-0">{texts.join(", ") || "No change"}</span>
      <input type="hidden" name="key" value={id} />
      <Submit className="btn">Withdraw</Submit>
    </AdminForm>
  );
}

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
