import { TextField } from "#app/ui/form/field.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { PasswordFields, Username } from "#app/ui/form/password-fields.tsx";
import { changePasswordSchema, codeSchema, profileSchema } from "#shop/accounts/account-forms.ts";
import type { Person, TabData } from "../load.server.ts";
import { Devices } from "./devices.tsx";
import { DeleteAccount, DownloadData, RequestForm } from "./privacy.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { Letters } from "./letters.tsx";
import { WaitlistPlace } from "./waitlist-place.tsx";
import { CodeField, Section, SettingsForm, type Verification, VerifiedForm } from "./section.tsx";

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
