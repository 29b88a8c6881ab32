import { getFormProps } from "@conform-to/react";
import { Form, Link, useNavigation } from "react-router";
import { signUpSchema } from "../../../../shop/accounts/account-forms.ts";
import { control } from "../../../ui/form/control.ts";
import { TextField } from "../../../ui/form/field.tsx";
import { PasswordFields } from "../../../ui/form/password-fields.tsx";
import { useShopForm } from "../../../ui/form/use-shop-form.ts";
import type { AuthActionResult } from "../../../session/auth-result.ts";

export function SignUp({ target, actionResult }: { target: string; actionResult: AuthActionResult | undefined }) {
  const isPending = useNavigation().formData?.get("intent") === "sign-up";
  const [form, fields] = useShopForm({ id: "sign-up", schema: signUpSchema, lastResult: actionResult?.result });
  const { terms } = fields;
  const termsError = terms.errors?.[0];
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-5">
      <input type="hidden" name="redirect" value={target} />
      <input type="hidden" name="intent" value="sign-up" />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField {...control(fields.firstName)} label="First name" autoComplete="given-name" />
        <TextField {...control(fields.lastName)} label="Last name" autoComplete="family-name" />
      </div>
      <TextField {...control(fields.email)} label="Email" type="email" autoComplete="username" />
      <PasswordFields
        password={{ ...control(fields.password), label: "Password" }}
        confirmPassword={{ ...control(fields.confirmPassword), label: "Confirm password" }}
      />
      <div>
        <input
          type="checkbox"
          id={terms.id}
          name={terms.name}
          defaultChecked={terms.initialValue === "on"}
          aria-invalid={termsError ? true : undefined}
          aria-describedby={termsError ? terms.errorId : undefined}
          className="float-left mt-3 mr-3 size-5 accent-leaf"
        />
        <label htmlFor={terms.id} className="flow-root min-h-11 py-2.5 text-[15px]">
          I agree to the{" "}
          <Link to="/terms" className="text-link">
            Terms
          </Link>{" "}
          and the{" "}
          <Link to="/privacy" className="text-link">
            Privacy Policy
          </Link>
        </label>
        {termsError && (
          <p id={terms.errorId} className="text-sm font-medium text-error">
            {termsError}
          </p>
        )}
      </div>
      <button type="submit" aria-disabled={isPending || undefined} className="button button-primary w-full">
        {isPending ? "Creating your account..." : "Create Account"}
      </button>
    </Form>
  );
}
