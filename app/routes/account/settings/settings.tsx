import type { AccountActionResult } from "../action-result.ts";
import type { Person, SettingsData } from "../load.server.ts";
import { Devices } from "./devices.tsx";
import { Password } from "./password.tsx";
import { DeleteAccount, DownloadData } from "./privacy.tsx";
import { ProfileForm } from "./profile.tsx";
import { SecondFactor } from "./second-factor.tsx";

type SettingsProps = SettingsData & { person: Person; actionResult: AccountActionResult | undefined };

/** What a customer can change about their account. */
export function Settings({ person, actionResult, proof, hasSecondFactor, devices, unshipped }: SettingsProps) {
  const asked = { proof, hasSecondFactor };
  return (
    <>
      <ProfileForm person={person} page={actionResult} />
      <Password {...asked} email={person.email} page={actionResult} />
      <SecondFactor {...asked} emailVerified={person.emailVerified} page={actionResult} />
      <Devices {...asked} devices={devices} page={actionResult} />
      <DownloadData {...asked} />
      <DeleteAccount {...asked} unshipped={unshipped} page={actionResult} />
    </>
  );
}
