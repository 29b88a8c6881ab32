import type { ComponentProps, ReactNode } from "react";
import { VERIFICATION_MESSAGES } from "#app/session/verification-messages.ts";
import { CONNECTION_LOST } from "#app/ui/form/action-result.ts";
import { type FormField, TextField } from "#app/ui/form/field.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { Username } from "#app/ui/form/password-fields.tsx";
import { MAX_CODE_CHARACTERS } from "#shop/accounts/account-forms.ts";
import type { Proof } from "#shop/accounts/sessions.server.ts";

type SectionProps = { id: string; title: string; intro: ReactNode; children: ReactNode };

export function Section({ id, title, intro, children }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-24 gap-x-16 gap-y-5 border-t border-line py-9 first:border-t-0 first:pt-0 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.9fr)] lg:py-12"
    >
      <div>
        <h2 id={`${id}-title`} className="text-xl font-semibold lg:text-2xl">
          {title}
        </h2>
        <p className="mt-2.5 max-w-[44ch] text-ink-soft">{intro}</p>
      </div>
      <div className="rounded-card bg-card p-5 sm:p-8">{children}</div>
    </section>
  );
}

type Values = Record<string, unknown>;
type SettingsFormProps<Input extends Values> = ComponentProps<typeof Form<Input>> & { section: string };

const FAILURE = { title: "Error", message: CONNECTION_LOST };

/** A form that without JavaScript is answered at its section. */
export function SettingsForm<Input extends Values>({ section, ...form }: SettingsFormProps<Input>) {
  return <Form<Input> action={`/account?tab=settings#${section}`} failure={FAILURE} className="grid gap-5" {...form} />;
}

/** Ways of the customer to verify that it is them. */
export type Verification = { proof: Proof; hasSecondFactor: boolean; email: string };
export type ProofValues = { password: string; code: string };

type ProofFieldsProps = { verification: Verification; fields: { password: FormField; code: FormField } };

/** Asks for the password and code, or for nothing after a recent sign-in. */
export function ProofFields({ verification: { proof, hasSecondFactor, email }, fields }: ProofFieldsProps) {
  if (proof !== "password") return null;
  return (
    <>
      <Username email={email} />
      <TextField
        field={fields.password}
        type="password"
        label="Your password"
        autoComplete="current-password"
        className="max-w-sm"
      />
      {hasSecondFactor && <CodeField field={fields.code} />}
    </>
  );
}

export function CodeField({ field }: { field: FormField }) {
  return (
    <TextField
      field={field}
      label="Code from your app"
      hint="A backup code works too."
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={MAX_CODE_CHARACTERS}
      className="max-w-sm"
    />
  );
}

/** Replaces a form for customers without a password who signed in over ten minutes ago. */
export function SignInAgain() {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <p className="max-w-[46ch]">{VERIFICATION_MESSAGES.stale}</p>
      <form method="post" action="/auth/sign-out">
        <button type="submit" className="button button-quiet">
          Sign out
        </button>
      </form>
    </div>
  );
}

type VerifiedFormProps<Input extends Values> = Omit<SettingsFormProps<Input & ProofValues>, "children"> & {
  verification: Verification;
  /** Content above the verification. */
  above?: (fields: { [Name in keyof Input]: FormField }) => ReactNode;
  /** The buttons. */
  children: ReactNode;
};

/** A form that asks the customer to verify that it is them. */
export function VerifiedForm<Input extends Values = object & Values>({
  verification,
  above,
  children,
  ...form
}: VerifiedFormProps<Input>) {
  if (verification.proof === "stale") return <SignInAgain />;
  return (
    <SettingsForm<Input & ProofValues> {...form}>
      {({ fields }) => (
        <>
          {above?.(fields)}
          <ProofFields verification={verification} fields={fields} />
          <div className="flex flex-wrap gap-3">{children}</div>
        </>
      )}
    </SettingsForm>
  );
}
