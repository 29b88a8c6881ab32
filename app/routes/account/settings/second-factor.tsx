import { ShieldCheck } from "lucide-react";
import { TextField } from "../../../ui/form/field.tsx";
import type { AccountActionResult, Enrollment } from "../action-result.ts";
import { BackupCodes } from "./backup-codes.tsx";
import { ProofFields, SignInAgain, type Asked } from "./proof.tsx";
import { Section } from "./section.tsx";
import { SETTINGS, Submit, ResultMessage, useActionResult } from "./use-action-result.tsx";

const ACTION = `${SETTINGS}#two-step`;

type SecondFactorProps = Asked & {
  emailVerified: boolean;
  page: AccountActionResult | undefined;
};

/** An authenticator app as the second step of signing in: set up, seen, renewed, removed. */
export function SecondFactor({ proof, emailVerified, hasSecondFactor, page }: SecondFactorProps) {
  const forms = useActionResult(page, "factor-start", "factor-verify", "factor-remove", "factor-codes");
  const { Form, form, actionResult, pending } = forms;
  const asked = { id: "two-step", proof, hasSecondFactor, errors: actionResult?.errors };

  return (
    <Section
      id="two-step"
      title="Two-step sign-in"
      intro="Besides your password, a code from an app on your phone. Whoever learns your password still cannot get in."
    >
      <ResultMessage actionResult={actionResult} />
      {actionResult?.backupCodes && <BackupCodes key={actionResult.backupCodes[0]} codes={actionResult.backupCodes} />}
      {hasSecondFactor ? (
        <>
          <p className="flex items-center gap-3 font-medium">
            <ShieldCheck size={22} strokeWidth={1.75} aria-hidden="true" className="text-good" />
            Authenticator app
            <span className="ml-auto rounded-full bg-leaf-light px-3 py-1 text-sm font-semibold text-good">On</span>
          </p>
          {proof === "stale" ? (
            <div className="mt-6">
              <SignInAgain />
            </div>
          ) : (
            <Form ref={form} method="post" action={ACTION} noValidate className="mt-6 grid gap-5">
              <ProofFields {...asked} />
              <div className="flex flex-wrap gap-3">
                <Submit intent="factor-codes" pending={pending} busy="Making..." className="button-quiet">
                  New backup codes
                </Submit>
                <Submit intent="factor-remove" pending={pending} busy="Removing..." className="text-error underline">
                  Remove
                </Submit>
              </div>
            </Form>
          )}
        </>
      ) : actionResult?.enrollment ? (
        <Finish enrollment={actionResult.enrollment} forms={forms} />
      ) : !emailVerified ? (
        <p>Please verify your email address first. Then you can set it up here.</p>
      ) : proof === "stale" ? (
        <SignInAgain />
      ) : (
        <Form ref={form} method="post" action={ACTION} noValidate className="grid gap-5">
          <ProofFields {...asked} />
          <div>
            <Submit intent="factor-start" pending={pending} busy="Preparing...">
              Set up an authenticator app
            </Submit>
          </div>
        </Form>
      )}
    </Section>
  );
}

type FinishProps = { enrollment: Enrollment; forms: ReturnType<typeof useActionResult> };

/** The code to scan, the secret to type where there is no camera, and the first code as a proof that it worked. */
function Finish({ enrollment, forms: { Form, form, actionResult, pending } }: FinishProps) {
  return (
    <div className="grid items-start gap-7 sm:grid-cols-[220px_1fr]">
      <img
        src={enrollment.qr}
        alt="QR code for your authenticator app"
        width={220}
        height={220}
        className="rounded-[10px] border border-line"
      />
      <Form ref={form} method="post" action={ACTION} noValidate className="grid gap-5">
        <div>
          <p>Scan this with an authenticator app, then enter the six digits it shows.</p>
          <p className="mt-4 text-sm text-ink-soft">No camera? Enter this key in the app:</p>
          <p className="mt-1 font-mono text-[15px] break-all">{enrollment.secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}</p>
        </div>
        <input type="hidden" name="uri" value={enrollment.uri} />
        <TextField
          id="two-step-code"
          name="code"
          label="Code from the app"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
          error={actionResult?.errors?.code}
          errorId="two-step-code-error"
          className="max-w-52"
        />
        <div>
          <Submit intent="factor-verify" pending={pending} busy="Checking...">
            Turn on
          </Submit>
        </div>
      </Form>
    </div>
  );
}
