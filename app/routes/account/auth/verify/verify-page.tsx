import { Link } from "react-router";
import { Form, Submit } from "#app/ui/form/form.tsx";
import { Username } from "#app/ui/form/password-fields.tsx";
import { TextField } from "#app/ui/form/field.tsx";
import { MessagePage } from "#app/ui/feedback/message-page.tsx";

/** A waitlist place is confirmed by a button, because mail scanners open links. */
export function Confirm({ email, signsIn }: { email: string; signsIn: boolean }) {
  return (
    <div className="page max-w-xl! pt-12 pb-24 lg:pt-24">
      <h1 className="heading">Confirm your email</h1>
      <p className="mt-4 text-lg text-ink-soft">
        Is <strong className="font-semibold text-ink">{email}</strong> yours? Confirm it to lock in your spot on the
        waitlist.{signsIn && <span> We’ll sign you in, too.</span>}
      </p>
      <Form id="confirm" className="mt-9 grid justify-items-start gap-4">
        <Submit intent="confirm" busy="Confirming...">
          Confirm email
        </Submit>
      </Form>
    </div>
  );
}

/** Another customer is signed in here and stays signed in. */
export function Verified({ email, signedInAs }: { email: string; signedInAs: string }) {
  return (
    <div className="page max-w-xl! pt-12 pb-24 lg:pt-24">
      <h1 className="heading">Email Verified!</h1>
      <p className="mt-4 text-lg text-ink-soft">
        <strong className="font-semibold text-ink">{email}</strong> is verified. This browser stays signed in as{" "}
        <strong className="font-semibold text-ink">{signedInAs}</strong>.
      </p>
      <Link to="/" className="button button-primary mt-9">
        Back to the shop
      </Link>
    </div>
  );
}

export function Ask({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  return (
    <div className="page max-w-xl! pt-12 pb-24 lg:pt-24">
      <h1 className="heading">Verify your email</h1>
      <p className="mt-4 text-lg text-ink-soft">
        Someone created an account with <strong className="font-semibold text-ink">{email}</strong>, on another device
        or in another browser.
      </p>
      {hasPassword && (
        <Form<{ password: string }> id="verify" className="mt-9 grid gap-5 border-t border-line pt-9">
          {({ fields }) => (
            <>
              <h2 className="text-xl font-semibold">It was me</h2>
              <Username email={email} />
              <TextField
                field={fields.password}
                label="Password"
                type="password"
                autoComplete="current-password"
                hint="The one you chose when you signed up."
              />
              <Submit className="button button-primary justify-self-start">Verify email</Submit>
            </>
          )}
        </Form>
      )}
      <Form id="take-over" className="mt-9 grid gap-4 border-t border-line pt-9">
        <h2 className="text-xl font-semibold">
          {hasPassword ? "It wasn’t me, or I forgot the password" : "Make it yours"}
        </h2>
        <p className="text-ink-soft">
          Choose a new password. Anyone else who is signed in to this account, or knows its password, will be locked
          out.
        </p>
        <Submit intent="take-over" className="button button-quiet justify-self-start">
          Set a new password
        </Submit>
      </Form>
    </div>
  );
}

const SPENT = {
  used: {
    heading: "This link was already used",
    words: "Your email is verified. Sign in, or set a password by email if you don’t have one yet.",
  },
  expired: {
    heading: "This link has expired",
    words: "Links work for 24 hours. Sign in, or join the waitlist again, and we’ll send you a new one.",
  },
  invalid: {
    heading: "This link doesn’t work",
    words: "Part of it may be missing. Copy the full link from the email, or sign in to get a new one.",
  },
};

export function Spent({ reason }: { reason: keyof typeof SPENT }) {
  const { heading, words } = SPENT[reason];
  return (
    <MessagePage heading={heading} text={words} picture="filter-used">
      <Link to="/auth" className="button button-primary">
        Sign In
      </Link>
      {reason === "used" && (
        <Link to="/reset-password" className="button button-quiet">
          Set a password by email
        </Link>
      )}
    </MessagePage>
  );
}
