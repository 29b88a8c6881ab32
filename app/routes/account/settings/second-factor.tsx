import { Check, Copy, Download, ShieldCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { TextField } from "#app/ui/form/field.tsx";
import { Submit, useActionResult } from "#app/ui/form/form.tsx";
import { brand } from "#shop/brand.ts";
import { type Enrollment, type FactorData, TEAM_FACTOR } from "../tabs.ts";
import { Section, SettingsForm, type Verification, VerifiedForm } from "./section.tsx";

type SecondFactorProps = {
  verification: Verification;
  emailVerified: boolean;
  isStaff: boolean;
  /** Path that accepts an open invitation to the team. */
  joinPath: string | null;
};

export function SecondFactor({ verification, emailVerified, isStaff, joinPath }: SecondFactorProps) {
  const changed = useActionResult<FactorData>("two-step-form")?.data;
  const finished = useActionResult<FactorData>("two-step-finish")?.data;
  const enrollment = changed?.enrollment ?? finished?.enrollment;
  const backupCodes = changed?.backupCodes ?? finished?.backupCodes;
  const form = { id: "two-step-form", section: "two-step", verification };
  return (
    <Section
      id="two-step"
      title="Two-step sign-in"
      intro="Adds a code from your phone, so a stolen password isn’t enough."
    >
      {verification.hasSecondFactor ? (
        <>
          {backupCodes && <BackupCodes key={backupCodes[0]} codes={backupCodes} />}
          <p className="mb-6 flex items-center gap-3 font-medium">
            <ShieldCheck size={22} strokeWidth={1.75} aria-hidden="true" className="text-good" />
            Authenticator app
            <span className="ml-auto rounded-full bg-leaf-light px-3 py-1 text-sm font-semibold text-good">On</span>
          </p>
          {joinPath && (
            <p className="mb-6">
              <a href={joinPath} className="button button-primary">
                Continue to the back office
              </a>
            </p>
          )}
          <VerifiedForm {...form}>
            <Submit intent="factor-codes" busy="Making..." className="button button-quiet">
              New backup codes
            </Submit>
            {isStaff ? (
              <p>{TEAM_FACTOR}</p>
            ) : (
              <Submit intent="factor-remove" busy="Removing..." className="button text-error underline">
                Remove
              </Submit>
            )}
          </VerifiedForm>
        </>
      ) : enrollment ? (
        <Finish enrollment={enrollment} />
      ) : emailVerified ? (
        <VerifiedForm {...form}>
          <Submit intent="factor-start" busy="Preparing...">
            Set up an authenticator app
          </Submit>
        </VerifiedForm>
      ) : (
        <p>Verify your email address first. Then you can set it up here.</p>
      )}
    </Section>
  );
}

/** Setup: the QR code, the secret to type, and a first code as proof. */
function Finish({ enrollment }: { enrollment: Enrollment }) {
  return (
    <div className="grid items-start gap-7 sm:grid-cols-[220px_1fr]">
      <img
        src={enrollment.qr}
        alt="QR code for your authenticator app"
        width={220}
        height={220}
        className="rounded-[10px] border border-line"
      />
      <SettingsForm<{ code: string }> id="two-step-finish" section="two-step">
        {({ fields }) => (
          <>
            <div>
              <p>Scan this with an authenticator app, then enter the six digits it shows.</p>
              <p className="mt-4 text-sm text-ink-soft">No camera? Enter this key in the app:</p>
              <p className="mt-1 font-mono text-[15px] break-all">
                {enrollment.secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}
              </p>
            </div>
            <input type="hidden" name="uri" value={enrollment.uri} />
            <TextField
              field={fields.code}
              label="Code from the app"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={20}
              className="max-w-52"
            />
            <div>
              <Submit intent="factor-verify" busy="Checking...">
                Turn on
              </Submit>
            </div>
          </>
        )}
      </SettingsForm>
    </div>
  );
}

/** Backup codes are shown once. */
function BackupCodes({ codes }: { codes: string[] }) {
  const [copied, setCopied] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, [codes]);
  const text = codes.join("\n");
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${brand.name} backup codes. Each works once.\n\n${text}\n`)}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Codes can still be selected or downloaded if the browser refuses.
    }
  };
  return (
    <div className="mb-7 rounded-[10px] bg-paper p-5 sm:p-6">
      <h3 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        Your backup codes
      </h3>
      <p className="mt-2 max-w-[56ch] text-[15px]">
        Each one signs you in once, when you don’t have your phone. We won’t show them again, so keep them somewhere
        safe.
      </p>
      <ul className="mt-4 grid gap-x-6 gap-y-1.5 font-mono text-[15px] sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-5 flex flex-wrap gap-3">
        <button type="button" onClick={() => void copy()} className="button button-quiet min-h-11 noscript:hidden">
          {copied ? <Check size={17} aria-hidden="true" /> : <Copy size={17} aria-hidden="true" />}
          <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
        </button>
        <a href={file} download="polara-backup-codes.txt" className="button button-quiet min-h-11">
          <Download size={17} aria-hidden="true" />
          Download
        </a>
      </div>
    </div>
  );
}
