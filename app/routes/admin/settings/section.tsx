/** A section of the settings: its form, and the changes that are planned. */
import { useId, useState } from "react";
import { useLocation } from "react-router";
import { useHydrated } from "#app/ui/chrome/page-state.ts";
import { ActionMessage, Submit, useActionResult } from "#app/ui/form/form.tsx";
import { AdminArea, AdminCheckbox, AdminForm, AdminText } from "#app/ui/admin/field.tsx";
import { Status } from "#app/ui/admin/page-head.tsx";
import { SaveBar } from "#app/ui/admin/unsaved-changes.tsx";
import { dayWords } from "#app/ui/admin/when.tsx";
import type { Route } from "./+types/route.ts";
import { type Field, SECTIONS } from "./sections.ts";

type Loaded = Route.ComponentProps["loaderData"];

type FormProps = Omit<Loaded["forms"][number], "summary"> & Pick<Loaded, "today" | "missing">;
type SectionProps = FormProps & { planned: Loaded["changes"]; summary: string };

/** Folded below its title, until it is used or the address names it; planned changes are always in sight. */
export function SettingsSection({ planned, summary, ...form }: SectionProps) {
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
  const { note, fields, hasDays = false, ticked } = SECTIONS[section];
  const groups = ticked ? [] : [...new Set(fields.map(({ group }) => group))];
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
          {ticked && (
            <Ticked {...ticked} fields={fields} typed={typed} missing={missing} isOpen={result?.ok === false} />
          )}
          <Days hasDays={hasDays} today={today} />
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

/** The days of a promotion or a planned change, where such are made. */
function Days({ hasDays, today }: { hasDays: boolean; today: string }) {
  if (!hasDays) return <input type="hidden" name="effectiveOn" value={today} />;
  return (
    <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2">
      <AdminText
        name="effectiveOn"
        type="date"
        label="Takes effect on"
        hint="Today: takes effect immediately. A later day: planned until then, and you can withdraw it."
        min={today}
        defaultValue={today}
      />
      <AdminText
        name="lastDay"
        type="date"
        label="Last day (optional)"
        hint="For a promotion. The next day the earlier values apply again."
        min={today}
      />
    </div>
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

type TickedProps = FieldsProps & { title: string; others: string; isOpen: boolean };

/** The boxes that are ticked, and the others in a fold; open after a refusal, whose choices are in it. */
function Ticked({ title, others, isOpen, fields, ...own }: TickedProps) {
  const [off = [], on = []] = [false, true].map((isOn) =>
    fields.filter(({ name }) => (own.typed[name] === "on") === isOn),
  );
  return (
    <>
      <fieldset className="min-w-0">
        <legend className="mb-2 font-semibold">{title}</legend>
        {on.length > 0 ? <Fields fields={on} {...own} /> : <p className="text-ink-soft">None yet</p>}
      </fieldset>
      <details open={isOpen || undefined}>
        <summary className="w-fit py-2 font-medium pointer-coarse:min-h-11">{others}</summary>
        <fieldset className="min-w-0">
          <legend className="sr-only">{others}</legend>
          <Fields fields={off} {...own} />
        </fieldset>
      </details>
    </>
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
      <Status tone="soon">{`Planned for ${dayWords(effectiveOn)}`}</Status>
      <span className="min-w-0">{texts.join(", ") || "No change"}</span>
      <input type="hidden" name="key" value={id} />
      <Submit className="btn">Withdraw</Submit>
    </AdminForm>
  );
}
