import { useEffect, useRef } from "react";
import { data, Form, Link, redirect, useNavigation, useSearchParams } from "react-router";
import { codeSchema } from "../../../../../shop/accounts/account-forms.ts";
import { MAX_CODE_CHARACTERS } from "../../../../../shop/accounts/second-factor/code-length.ts";
import { consumeAttempt } from "../../../../session/rate-limits.server.ts";
import { readSession } from "../../../../session/customer.server.ts";
import { readForm } from "../../../../http/form.server.ts";
import { enterCode } from "../../../../session/verification/second-factor.server.ts";
import { pageMeta } from "../../../../http/page-meta.ts";
import { redirectTarget } from "../../../../session/redirect-target.ts";
import { TextField } from "../../../../ui/form/field.tsx";
import { refusalOf, seeOther } from "../../../../session/verification/refusal.server.ts";
import { writeToShop } from "../../../../http/browser-write.ts";
import { CONNECTION_LOST } from "../../../../session/auth-result.ts";
import type { Route } from "./+types/route.ts";
import { NO_STORE } from "../../../../http/cache-headers.ts";

export const meta: Route.MetaFunction = () => [
  ...pageMeta({ title: "Enter your code", description: "The second step of signing in.", path: "/auth/two-factor" }),
  { name: "robots", content: "noindex" },
];

export const headers = () => NO_STORE;

const targetOf = (request: Request) => redirectTarget(new URL(request.url).searchParams.get("redirect"));

export async function loader({ request }: Route.LoaderArgs) {
  const { customer } = await readSession(request);
  if (customer) throw redirect(targetOf(request));
  return data(null);
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, ["code"]);
  const refuse = (error: string, status: number) => data({ error }, { status, headers: NO_STORE });
  const read = codeSchema.safeParse(Object.fromEntries(form));
  if (!read.success) return refuse(read.error.issues[0]?.message ?? "Enter the code", 400);

  const { awaitsSecondFactor } = await readSession(request);
  if (awaitsSecondFactor) {
    const { refusal } = await consumeAttempt(context, "code", awaitsSecondFactor);
    if (refusal) return refuse(refusal, 429);
  }
  try {
    return seeOther(
      targetOf(request),
      await enterCode(request, context, read.data.code, "sign-in", awaitsSecondFactor),
    );
  } catch (error) {
    const { message, status } = refusalOf(error);
    return refuse(message, status);
  }
}

export const clientAction = (call: Route.ClientActionArgs) =>
  writeToShop(call, { key: "error", lost: () => ({ error: CONNECTION_LOST }) });

export default function TwoFactor({ actionData }: Route.ComponentProps) {
  const isPending = useNavigation().state === "submitting";
  const [query] = useSearchParams();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (actionData) form.current?.querySelector<HTMLInputElement>("#code")?.select();
  }, [actionData]);
  const back = query.get("redirect");
  return (
    <div className="page max-w-lg! pt-12 pb-24 lg:pt-24">
      <h1 className="heading">Enter your code</h1>
      <p className="mt-4 text-lg text-ink-soft">
        Open your authenticator app and enter the six digits it shows for Polara. Without the app, one of your backup
        codes does it too.
      </p>
      <Form ref={form} method="post" noValidate className="mt-9 grid gap-5">
        <TextField
          id="code"
          name="code"
          label="Code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={MAX_CODE_CHARACTERS}
          error={actionData?.error}
          errorId="code-error"
        />
        <button type="submit" aria-disabled={isPending || undefined} className="button button-primary w-full">
          {isPending ? "Checking..." : "Continue"}
        </button>
      </Form>
      <Link
        to={back ? `/auth?redirect=${encodeURIComponent(back)}` : "/auth"}
        className="text-link mt-4 inline-flex min-h-11 items-center"
      >
        Sign in with another account
      </Link>
    </div>
  );
}
