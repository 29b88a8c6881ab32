import { TextField } from "#app/ui/form/field.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { PasswordFields, Username } from "#app/ui/form/password-fields.tsx";
import { changePasswordSchema, codeSchema, profileSchema } from "#shop/accounts/account-forms.ts";
import type { Person, TabData } from "../load.server.ts";
import { Devices } from "./devices.tsx";
import { DeleteAccount, DownloadData, RequestForm } from "./privacy.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { CodeField, Section, SettingsForm, type Verification, VerifiedForm } from "./section.tsx";
import { Link } from "react-router";
import { LocalTime } from "#app/ui/time/local-time.tsx";
import { CONSENTS } from "#shop/consents/consent.ts";

type SettingsProps = TabData<"settings"> & { person: Person };

export function Settings({
  person,
  proof,
  hasSecondFactor,
  devices,
  place,
  consents,
  requests,
  unshipped,
  isStaff,
  joinPath,
}: SettingsProps) {
  const verification = { proof, hasSecondFactor, email: person.email };
  return (
    <>
      <Profile person={person} />
      <Email verification={verification} />
      <Password verification={verification} email={person.email} />
      <SecondFactor {...{ verification, isStaff, joinPath }} emailVerified={person.emailVerified} />
      <Devices verification={verification} devices={devices} />
      <WaitlistPlace place={place} />
      <Letters consents={consents} person={person} />
      <DownloadData verification={verification} />
      <RequestForm requests={requests} />
      <DeleteAccount verification={verification} unshipped={unshipped} />
    </>
  );
}

function Profile({ person }: { person: Person }) {
  const { firstName, lastName, phone, email } = person;
  return (
    <Section id="profile" title="Profile" intro="Used at checkout and in our emails.">
      <SettingsForm
        id="profile-form"
        section="profile"
        validate={(form) => parseForm(form, profileSchema)}
        defaultValue={{ firstName, lastName, phone }}
      >
        {({ fields }) => (
          <>
            <div className="grid gap-5 sm:grid-cols-2">
              <TextField
                field={fields.firstName}
                label="First name"
                autoComplete="given-name"
                maxLength={100}
                required={false}
              />
              <TextField
                field={fields.lastName}
                label="Last name"
                autoComplete="family-name"
                maxLength={100}
                required={false}
              />
              <TextField
                field={{ id: "profile-email", name: "", errorId: "", errors: undefined, initialValue: email }}
                label="Email"
                type="email"
                readOnly
                required={false}
                hint="Your email is how you sign in. Change it below."
              />
              <TextField
                field={fields.phone}
                label="Phone"
                type="tel"
                autoComplete="tel"
                maxLength={50}
                required={false}
              />
            </div>
            <div>
              <Submit intent="profile" busy="Saving...">
                Save profile
              </Submit>
            </div>
          </>
        )}
      </SettingsForm>
    </Section>
  );
}

function Email({ verification }: { verification: Verification }) {
  return (
    <Section
      id="email"
      title="Email"
      intro="We’ll send a link to the new address. Open it in this browser. Your account and order emails move to the new address, and you’re signed out everywhere else."
    >
      <VerifiedForm<{ newEmail: string }>
        id="email-form"
        section="email"
        verification={verification}
        above={({ newEmail }) => (
          <TextField field={newEmail} label="New email" type="email" autoComplete="email" className="max-w-sm" />
        )}
      >
        <Submit intent="email" busy="Sending...">
          Change email
        </Submit>
      </VerifiedForm>
    </Section>
  );
}

const changeSchema = changePasswordSchema.safeExtend({ code: codeSchema.shape.code.optional() });

function Password({ verification, email }: { verification: Verification; email: string }) {
  if (verification.proof !== "password") {
    return (
      <Section id="password" title="Password" intro="You sign in without one. Set one to sign in with your email, too.">
        <SettingsForm
          id="password-form"
          section="password"
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4"
        >
          <p className="max-w-[46ch]">{`We’ll send a link to ${email}. Open it to set your password.`}</p>
          <Submit intent="set-password" busy="Sending...">
            Set a password
          </Submit>
        </SettingsForm>
      </Section>
    );
  }
  return (
    <Section id="password" title="Password" intro="Changing it signs you out on your other devices.">
      <SettingsForm id="password-form" section="password" validate={(form) => parseForm(form, changeSchema)}>
        {({ fields }) => (
          <>
            <Username email={email} />
            <TextField
              field={fields.currentPassword}
              label="Current password"
              type="password"
              autoComplete="current-password"
            />
            {verification.hasSecondFactor && <CodeField field={fields.code} />}
            <div className="grid gap-5 sm:grid-cols-2">
              <PasswordFields
                password={{ field: fields.password, label: "New password" }}
                confirmPassword={{ field: fields.confirmPassword, label: "Confirm new password" }}
              />
            </div>
            <div>
              <Submit intent="password" busy="Changing...">
                Change password
              </Submit>
            </div>
          </>
        )}
      </SettingsForm>
    </Section>
  );
}

const ROW = "flex flex-wrap items-center justify-between gap-x-6 gap-y-4";

function WaitlistPlace({ place }: Pick<TabData<"settings">, "place">) {
  return (
    <Section id="waitlist" title="Waitlist" intro="An invitation to order new bowls before everyone else, by email.">
      {place ? (
        <SettingsForm id="waitlist-form" section="waitlist" className={ROW}>
          <p className="max-w-[46ch]">
            You’ve been on the waitlist since <LocalTime date={place.since} as="day" />.
            {!place.isConfirmed && <span> Verify your email to confirm your spot.</span>}
          </p>
          <Submit intent="leave-waitlist" busy="Leaving..." className="button button-quiet">
            Leave the waitlist
          </Submit>
        </SettingsForm>
      ) : (
        <div className={ROW}>
          <p>You’re not on the waitlist.</p>
          <Link to="/waitlist/join" className="button button-quiet">
            Join the waitlist
          </Link>
        </div>
      )}
    </Section>
  );
}

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
function Letters({ consents, person: { emailVerified } }: Pick<TabData<"settings">, "consents"> & { person: Person }) {
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
