import { LocalTime } from "../../../ui/time/local-time.tsx";
import type { AccountActionResult } from "../action-result.ts";
import type { SettingsData } from "../load.server.ts";
import { ProofFields, SignInAgain, type Asked } from "./proof.tsx";
import { Section } from "./section.tsx";
import { SETTINGS, Submit, ResultMessage, useActionResult } from "./use-action-result.tsx";

type Device = SettingsData["devices"][number];
type DevicesProps = Asked & { devices: Device[]; page: AccountActionResult | undefined };

/** Where the customer is signed in; each other device can be signed out, or all of them. */
export function Devices({ devices, page, ...asked }: DevicesProps) {
  const { Form, form, actionResult, pending } = useActionResult(page, "sign-out-one", "sign-out-others");
  const others = devices.filter(({ session }) => session !== null).length;
  const canEnd = others > 0 && asked.proof !== "stale";
  const canChoose = others > 1 && canEnd;
  const chosen = actionResult?.typed?.session ?? devices.find(({ session }) => session)?.session;
  const list = (
    <ul className="-my-4 divide-y divide-line">
      {devices.map((device) => (
        <li key={device.session ?? "here"} className="flex min-h-11 items-center justify-between gap-x-4 py-4">
          {canChoose && device.session ? (
            <label className="flex min-h-11 flex-1 cursor-pointer items-center gap-4">
              <input
                type="radio"
                name="session"
                value={device.session}
                defaultChecked={device.session === chosen}
                className="size-5 shrink-0 accent-leaf"
              />
              <Words {...device} />
            </label>
          ) : (
            <Words {...device} />
          )}
          {!device.session && (
            <p className="shrink-0 rounded-full bg-leaf-light px-3 py-1 text-sm font-semibold whitespace-nowrap text-leaf-deep">
              This device
            </p>
          )}
        </li>
      ))}
    </ul>
  );
  return (
    <Section id="devices" title="Signed-in devices" intro="One you do not know? Sign it out and change your password.">
      <ResultMessage actionResult={actionResult} />
      {!canEnd ? (
        <>
          {list}
          {others > 0 && (
            <div className="mt-7">
              <SignInAgain />
            </div>
          )}
        </>
      ) : (
        <Form ref={form} method="post" action={`${SETTINGS}#devices`} noValidate className="grid gap-7">
          {canChoose ? (
            <fieldset>
              <legend className="sr-only">A device to sign out</legend>
              {list}
            </fieldset>
          ) : (
            list
          )}
          <ProofFields id="devices" {...asked} errors={actionResult?.errors} />
          <div className="flex flex-wrap gap-3">
            {canChoose && (
              <Submit intent="sign-out-one" pending={pending} busy="Signing out..." className="button-quiet">
                Sign out the chosen one
              </Submit>
            )}
            <Submit intent="sign-out-others" pending={pending} busy="Signing out..." className="button-quiet">
              Sign out the others
            </Submit>
          </div>
        </Form>
      )}
    </Section>
  );
}

function Words({ device, lastUsedAt }: Device) {
  return (
    <div>
      <p className="font-medium">{device}</p>
      <p className="text-[15px] text-ink-soft">
        Last used <LocalTime date={lastUsedAt} as="day" />
      </p>
    </div>
  );
}
