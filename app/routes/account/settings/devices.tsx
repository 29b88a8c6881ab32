import { Submit } from "#app/ui/form/form.tsx";
import { LocalTime } from "#app/ui/time/local-time.tsx";
import type { TabData } from "../load.server.ts";
import { Section, SignInAgain, type Verification, VerifiedForm } from "./section.tsx";

type Device = TabData<"settings">["devices"][number];
type DevicesProps = { verification: Verification; devices: Device[] };

export function Devices({ devices, verification }: DevicesProps) {
  const others = devices.flatMap(({ session }) => session ?? []);
  const canChoose = others.length > 1;
  return (
    <Section id="devices" title="Signed-in devices" intro="Don’t recognize one? Sign it out and change your password.">
      {others.length === 0 || verification.proof === "stale" ? (
        <div className="grid gap-7">
          <DeviceList devices={devices} />
          {others.length > 0 && <SignInAgain />}
        </div>
      ) : (
        <VerifiedForm<{ session: string }>
          id="devices-form"
          section="devices"
          verification={verification}
          className="grid gap-7"
          above={({ session }) =>
            canChoose ? (
              <fieldset>
                <legend className="sr-only">A device to sign out</legend>
                <DeviceList devices={devices} chosen={(session.initialValue as string | undefined) ?? others[0]} />
              </fieldset>
            ) : (
              <DeviceList devices={devices} />
            )
          }
        >
          {canChoose && (
            <Submit intent="sign-out-one" busy="Signing out..." className="button button-quiet">
              Sign out the chosen one
            </Submit>
          )}
          <Submit intent="sign-out-others" busy="Signing out..." className="button button-quiet">
            Sign out the others
          </Submit>
        </VerifiedForm>
      )}
    </Section>
  );
}

/** With `chosen`, one of the other devices can be chosen. */
function DeviceList({ devices, chosen }: { devices: Device[]; chosen?: string }) {
  return (
    <ul className="-my-4 divide-y divide-line">
      {devices.map(({ session, device, lastUsedAt }) => {
        const words = (
          <div className="min-w-0">
            <p className="font-medium">{device}</p>
            <p className="text-[15px] text-ink-soft">
              Last used <LocalTime date={lastUsedAt} as="day" />
            </p>
          </div>
        );
        return (
          <li key={session ?? "here"} className="flex min-h-11 items-center justify-between gap-x-4 py-4">
            {chosen && session ? (
              <label className="flex min-h-11 flex-1 cursor-pointer items-center gap-4">
                <input
                  type="radio"
                  name="session"
                  value={session}
                  defaultChecked={session === chosen}
                  className="size-5 shrink-0 accent-leaf"
                />
                {words}
              </label>
            ) : (
              words
            )}
            {!session && (
              <p className="shrink-0 rounded-full bg-leaf-light px-3 py-1 text-sm font-semibold whitespace-nowrap text-leaf-deep">
                This device
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
