import { Form, Link, useNavigation } from "react-router";
import { TextField } from "../../../../ui/form/field.tsx";

/** Of the waitlist: whoever opens mail may be a scanner, whoever presses a button is a person. */
export function Confirm({ email, signsIn }: { email: string; signsIn: boolean }) {
  const isPending = useNavigation().state === "submitting";
  return (
    <div className="page max-w-xl! pt-12 pb-24 lg:pt-24">
      <h1 className="heading">Confirm your email</h1>
      <p className="mt-4 text-lg text-ink-soft">
        Is <strong className="font-semibold text-ink">{email}</strong> yours? Then your place on the waitlist is
        confirmed{signsIn && ", and you are signed in to the account that keeps it"}.
      </p>
      <Form method="post" className="mt-9">
        <button
          type="submit"
          name="intent"
          value="confirm"
          aria-disabled={isPending || undefined}
          className="button button-primary"
        >
          {isPending ? "Confirming..." : "Confirm email"}
        </button>
      </Form>
    </div>
  );
}

/** The browser is somebody else's, and stays theirs. */
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

export function Ask({ email, hasPassword, error }: { email: string; hasPassword: boolean; error?: string }) {
  const isPending = useNavigation().state === "submitting";
  return (
    <div className="page max-w-xl! pt-12 pb-24 lg:pt-24">
      <h1 className="heading">Verify your email</h1>
      <p className="mt-4 text-lg text-ink-soft">
        An account was made with <strong className="font-semibold text-ink">{email}</strong>, on another device or in
        another browser.
      </p>
      {hasPassword && (
        <Form method="post" noValidate className="mt-9 grid gap-5 border-t border-line pt-9">
          <h2 className="text-xl font-semibold">It was me</h2>
          <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
          <TextField
            id="password"
            name="password"
            label="Password"
            type="password"
            autoComplete="current-password"
            hint="The one you chose when you signed up."
            error={error}
            errorId="password-error"
          />
          <button
            type="submit"
            aria-disabled={isPending || undefined}
            className="button button-primary justify-self-start"
          >
            Verify email
          </button>
        </Form>
      )}
      <Form method="post" className="mt-9 grid gap-4 border-t border-line pt-9">
        <h2 className="text-xl font-semibold">
          {hasPassword ? "It was not me, or I forgot the password" : "Make it yours"}
        </h2>
        <p className="text-ink-soft">
          Choose a new password. Whoever else is signed in to this account, or knows its password, is out.
        </p>
        <button
          type="submit"
          name="intent"
          value="take-over"
          aria-disabled={isPending || undefined}
          className="button button-quiet justify-self-start"
        >
          Set a new password
        </button>
      </Form>
    </div>
  );
}

const SPENT = {
  used: {
    heading: "This link was used already",
    words: "Your email is verified. Sign in, or set a password by email where you have none yet.",
  },
  expired: {
    heading: "This link has expired",
    words: "Links work for 24 hours. Sign in, or join the waitlist once more, and a fresh one is on its way.",
  },
  invalid: {
    heading: "This link does not work",
    words: "Part of it may be missing. Copy the whole link from the mail, or sign in for a fresh one.",
  },
};

export function Spent({ state }: { state: keyof typeof SPENT }) {
  const { heading, words } = SPENT[state];
  return (
    <section className="page section grid min-h-[60vh] place-content-center justify-items-center gap-5 text-center">
      <h1 className="heading">{heading}</h1>
      <p className="max-w-md text-lg text-ink-soft">{words}</p>
      <Link to="/auth" className="button button-primary mt-3">
        Sign In
      </Link>
      {state === "used" && (
        <Link to="/reset-password" className="text-link inline-flex min-h-11 items-center">
          Set a password by email
        </Link>
      )}
    </section>
  );
}
