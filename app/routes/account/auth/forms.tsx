import type { FieldMetadata } from "@conform-to/react";
import { Link } from "react-router";
import { signInSchema, signUpSchema } from "#shop/accounts/account-forms.ts";
import { CONNECTION_LOST } from "#app/ui/form/action-result.ts";
import { TextField } from "#app/ui/form/field.tsx";
import { Form, Submit } from "#app/ui/form/form.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { PasswordFields } from "#app/ui/form/password-fields.tsx";

const SIGN_IN_FAILURE = { title: "Login failed", message: CONNECTION_LOST };

type SignProps = {
  target: string;
  /** Filled in. */
  email: string | undefined;
};

export function SignIn({ target, email }: SignProps) {
  return (
    <Form
      id="sign-in"
      defaultValue={{ email }}
      validate={(form) => parseForm(form, signInSchema)}
      failure={SIGN_IN_FAILURE}
      needsCookie="signing in"
      className="grid gap-5"
    >
      {({ fields }) => (
        <>
          <input type="hidden" name="redirect" value={target} />
          <input type="hidden" name="intent" value="sign-in" />
          <TextField field={fields.email} label="Email" type="email" autoComplete="username" />
          <div>
            <TextField field={fields.password} label="Password" type="password" autoComplete="current-password" />
            <Link to="/reset-password" className="text-link mt-1 inline-flex min-h-11 items-center text-[15px]">
              Forgot your password?
            </Link>
          </div>
          <Submit busy="Signing in..." className="button button-primary w-full">
            Sign In
          </Submit>
        </>
      )}
    </Form>
  );
}

const SIGN_UP_FAILURE = { title: "Signup failed", message: CONNECTION_LOST };

export function SignUp({ target, email }: SignProps) {
  return (
    <Form
      id="sign-up"
      defaultValue={{ email }}
      validate={(form) => parseForm(form, signUpSchema)}
      failure={SIGN_UP_FAILURE}
      needsCookie="your account"
      className="grid gap-5"
    >
      {({ fields }) => (
        <>
          <input type="hidden" name="redirect" value={target} />
          <input type="hidden" name="intent" value="sign-up" />
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField field={fields.firstName} label="First name" autoComplete="given-name" />
            <TextField field={fields.lastName} label="Last name" autoComplete="family-name" />
          </div>
          <TextField field={fields.email} label="Email" type="email" autoComplete="username" />
          <PasswordFields
            password={{ field: fields.password, label: "Password" }}
            confirmPassword={{ field: fields.confirmPassword, label: "Confirm password" }}
          />
          <Terms field={fields.terms} />
          <Submit busy="Creating your account..." className="button button-primary w-full">
            Create Account
          </Submit>
        </>
      )}
    </Form>
  );
}

function Terms({ field }: { field: FieldMetadata<"on"> }) {
  const error = field.errors?.[0];
  return (
    <div>
      <input
        type="checkbox"
        id={field.id}
        name={field.name}
        defaultChecked={field.initialValue === "on"}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? field.errorId : undefined}
        className="float-left mt-3 mr-3 size-5 accent-leaf"
      />
      <label htmlFor={field.id} className="flow-root min-h-11 py-2.5 text-[15px]">
        I agree to the{" "}
        <Link to="/terms" className="text-link">
          Terms
        </Link>{" "}
        and the{" "}
        <Link to="/privacy" className="text-link">
          Privacy Policy
        </Link>
      </label>
      {error && (
        <p id={field.errorId} className="text-sm font-medium text-error">
          {error}
        </p>
      )}
    </div>
  );
}
