import { getFormProps } from "@conform-to/react";
import { Form, Link, useNavigation } from "react-router";
import { signInSchema } from "../../../../shop/accounts/account-forms.ts";
import { control } from "../../../ui/form/control.ts";
import { TextField } from "../../../ui/form/field.tsx";
import { useShopForm } from "../../../ui/form/use-shop-form.ts";
import type { AuthActionResult } from "../../../session/auth-result.ts";

export function SignIn({ target, actionResult }: { target: string; actionResult: AuthActionResult | undefined }) {
  const isPending = useNavigation().formData?.get("intent") === "sign-in";
  const [form, fields] = useShopForm({ id: "sign-in", schema: signInSchema, lastResult: actionResult?.result });
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-5">
      <input type="hidden" name="redirect" value={target} />
      <input type="hidden" name="intent" value="sign-in" />
      <TextField {...control(fields.email)} label="Email" type="email" autoComplete="username" />
      <div>
        <TextField {...control(fields.password)} label="Password" type="password" autoComplete="current-password" />
        <Link to="/reset-password" className="text-link mt-1 inline-flex min-h-11 items-center text-[15px]">
          Forgot your password?
        </Link>
      </div>
      <button type="submit" aria-disabled={isPending || undefined} className="button button-primary w-full">
        {isPending ? "Signing in..." : "Sign In"}
      </button>
    </Form>
  );
}
