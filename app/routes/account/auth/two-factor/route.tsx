import { data, redirect, useSearchParams } from "react-router";
import { codeSchema, MAX_CODE_CHARACTERS } from "#shop/accounts/account-forms.ts";
import { consumeAttempt } from "#app/session/rate-limits.server.ts";
import { readSession } from "#app/session/customer.server.ts";
import { invalid, readForm, refused } from "#app/http/form.server.ts";
import { enterCode } from "#app/session/recent-verification.server.ts";
import { unlistedMeta } from "#app/http/page-meta.ts";
import { redirectTarget } from "#app/session/redirect-target.ts";
import { Alert } from "#app/ui/feedback/alert.tsx";
import { cookiesBlocked } from "#app/ui/form/action-result.ts";
import { TextField } from "#app/ui/form/field.tsx";
import { Form, Submit } from "#app/ui/form/form.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { refusalOf, seeOther } from "#app/session/auth-refusal.server.ts";
import type { Route } from "./+types/route.ts";
import { NO_STORE } from "#platform/cache-headers.ts";

export const meta: Route.MetaFunction = () =>
  unlistedMeta({ title: "Enter your code", description: "The second step of signing in.", path: "/auth/two-factor" });

export const headers = () => NO_STORE;

const targetOf = (request: Request) => redirectTarget(new URL(request.url).searchParams.get("redirect"));

export async function loader({ request }: Route.LoaderArgs) {
  const { customer } = await readSession(request);
  if (customer) throw redirect(targetOf(request));
  return data({ isBlocked: !request.headers.has("Cookie") });
}

export async function action({ request, context }: Route.ActionArgs) {
  const submission = parseForm(await readForm(request, ["code"]), codeSchema);
  if (submission.status !== "success") return invalid(submission);
  const refuse = (error: string, status: number) => refused(submission, "", { status, errors: { code: error } });

  const { awaitsSecondFactor } = await readSession(request);
  if (awaitsSecondFactor) {
    const { refusal } = await consumeAttempt(context, "code", awaitsSecondFactor);
    if (refusal) return refuse(refusal, 429);
  }
  try {
    const { code } = submission.value;
    return seeOther(targetOf(request), await enterCode(request, context, code, "sign-in", awaitsSecondFactor));
  } catch (error) {
    const { message, status } = refusalOf(error);
    return refuse(message, status);
  }
}

export { clientAction } from "#app/ui/form/client-action.ts";

export default function TwoFactor({ loaderData: { isBlocked } }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const back = query.get("redirect");
  const signIn = back ? `/auth?redirect=${encodeURIComponent(back)}` : "/auth";
  return (
    <div className="page max-w-lg! pt-12 pb-24 lg:pt-24">
      <h1 className="heading">Enter your code</h1>
      <p className="mt-4 text-lg text-ink-soft">
        Open your authenticator app and enter the six digits it shows for Polara. No app handy? Use a backup code.
      </p>
      {isBlocked && <Alert className="mt-6 px-5 py-4">{cookiesBlocked("signing in")}</Alert>}
      <Form id="two-factor" validate={(form) => parseForm(form, codeSchema)} className="mt-9 grid gap-5">
        {({ fields }) => (
          <>
            <TextField
              field={fields.code}
              label="Code"
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={MAX_CODE_CHARACTERS}
              onFocus={(event) => event.currentTarget.select()}
            />
            <Submit busy="Checking..." className="button button-primary w-full">
              Continue
            </Submit>
          </>
        )}
      </Form>
      {/* Google leaves a session that still needs its code. */}
      <form method="post" action={`/auth/sign-out?redirect=${encodeURIComponent(signIn)}`} className="mt-4">
        <button type="submit" className="text-link inline-flex min-h-11 items-center">
          Sign in with another account
        </button>
      </form>
    </div>
  );
}
