import { TextField } from "../../../ui/form/field.tsx";
import { control } from "../../../ui/form/control.ts";
import { Section, type Fields } from "./section.tsx";

export function Contact({ fields }: { fields: Fields }) {
  return (
    <Section title="Contact">
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
        <TextField {...control(fields.email)} label="Email" type="email" autoComplete="email" />
        <TextField {...control(fields.phone)} label="Phone" type="tel" autoComplete="tel" />
      </div>
      <p className="mt-4 text-sm text-ink-soft">
        Your confirmation goes to this address. We call only if a delivery needs you.
      </p>
    </Section>
  );
}
