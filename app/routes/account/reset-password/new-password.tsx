import { getFormProps } from "@conform-to/react";
import { Form, Link, useNavigation } from "react-router";
import { newPasswordSchema } from "../../../../shop/accounts/account-forms.ts";
import { Alert } from "../../../ui/feedback/alert.tsx";
import { control } from "../../../ui/form/control.ts";
import { PasswordFields } from "../../../ui/form/password-fields.tsx";
import { useShopForm } from "../../../ui/form/use-shop-form.ts";
import type { ResetActionResult } from "./action-result.ts";

/** Where the mail's link leads: the same rules as at sign-up. */
export function NewPassword({ actionResult }: { actionResult: ResetActionResult | undefined }) {
  const isPending = useNavigation().state === "submitting";
  const [form, fields] = useShopForm({
    id: "new-password",
    schema: newPasswordSchema,
    lastResult: actionResult?.result,
  });
  return (
    <>
      <h1 className="heading">Set a new password</h1>
      <p className="mt-4 text-lg text-ink-soft">Afterwards every device that is signed in now is signed out.</p>
      <Form method="post" {...getFormProps(form)} className="mt-9 grid gap-5">
        {actionResult?.formMessage && (
          <Alert focusFor={actionResult} className="p-5">
            <p>{actionResult.formMessage}</p>
            <Link to="/reset-password" className="text-link mt-1 inline-flex min-h-11 items-center">
              Ask for a new link
            </Link>
          </Alert>
        )}
        <PasswordFields
          password={{ ...control(fields.password), label: "New password" }}
          confirmPassword={{ ...control(fields.confirmPassword), label: "Confirm password" }}
        />
        <button type="submit" aria-disabled={isPending || undefined} className="button button-primary w-full">
          {isPending ? "Saving..." : "Save Password"}
        </button>
      </Form>
    </>
  );
}
