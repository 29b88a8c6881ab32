import { LocalDate } from "../../../ui/local-date.tsx";
import type { AccountAnswer } from "../answer.ts";
import type { SettingsData } from "../load.server.ts";
import { Section } from "./section.tsx";
import { SETTINGS, Submit, Told, useAnswer } from "./use-answer.tsx";

type DevicesProps = Pick<SettingsData, "devices" | "hasOthers"> & { page: AccountAnswer | undefined };

/** Where the customer is signed in. */
export function Devices({ devices, hasOthers, page }: DevicesProps) {
  const { Form, form, answer, pending } = useAnswer(page, "sign-out-others");
  return (
    <Section id="devices" title="Signed-in devices" intro="One you do not know? Sign it out and change your password.">
      <Told answer={answer} />
      <ul className="-my-4 divide-y divide-line">
        {devices.map(({ device, lastUsedAt, isHere }, index) => (
          <li key={index} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-4">
            <div>
              <p className="font-medium">{device}</p>
              <p className="text-[15px] text-ink-soft">
                Last used <LocalDate date={lastUsedAt} />
              </p>
            </div>
            {isHere && (
              <p className="rounded-full bg-leaf-light px-3 py-1 text-sm font-semibold text-leaf-deep">This device</p>
            )}
          </li>
        ))}
      </ul>
      {hasOthers && (
        <Form ref={form} method="post" action={`${SETTINGS}#devices`} className="mt-7">
          <Submit intent="sign-out-others" pending={pending} busy="Signing out..." className="button-quiet">
            Sign out the others
          </Submit>
        </Form>
      )}
    </Section>
  );
}
