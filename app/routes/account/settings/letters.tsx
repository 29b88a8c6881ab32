import { Submit } from "#app/ui/form/form.tsx";
import { CONSENTS } from "#shop/consents/consent.ts";
import type { Person, TabData } from "../load.server.ts";
import { Section, SettingsForm } from "./section.tsx";

type TickProps = { name: string; label: string; isChecked?: boolean };

const Tick = ({ name, label, isChecked = false }: TickProps) => (
  <label className="flex min-h-11 items-center gap-3">
    <input
      type="checkbox"
      name={name}
      defaultChecked={isChecked}
      key={String(isChecked)}
      className="size-5 shrink-0 accent-leaf"
    />
    <span>{label}</span>
  </label>
);

/** The consents of a proven email, to see and to withdraw. */
export function Letters({
  consents,
  person: { emailVerified },
}: Pick<TabData<"settings">, "consents"> & { person: Person }) {
  const agreed = new Set(consents.map(({ kind }) => kind));
  const awaited = consents.flatMap(({ product }) => product ?? []);
  return (
    <Section
      id="letters"
      title="Email preferences"
      intro="Emails that aren’t about an order. Each has an unsubscribe link."
    >
      {emailVerified ? (
        <SettingsForm id="letters-form" section="letters">
          <div className="grid gap-1">
            {(["news", "owners"] as const).map((kind) => (
              <Tick key={kind} name={kind} label={CONSENTS[kind].words} isChecked={agreed.has(kind)} />
            ))}
          </div>
          {awaited.length > 0 && (
            <div>
              <p>{`We’ll email you when these are back in stock: ${awaited.join(", ")}.`}</p>
              <Tick name="stopBackInStock" label="Don’t email me about these" />
            </div>
          )}
          <div>
            <Submit intent="letters" busy="Saving...">
              Save preferences
            </Submit>
          </div>
        </SettingsForm>
      ) : (
        <p>Verify your email to choose what we send you.</p>
      )}
    </Section>
  );
}
