import type { AccountAnswer } from "../answer.ts";
import type { Person, SettingsData } from "../load.server.ts";
import { Devices } from "./devices.tsx";
import { Password } from "./password.tsx";
import { DeleteAccount, DownloadData } from "./privacy.tsx";
import { ProfileForm } from "./profile.tsx";
import { SecondFactor } from "./second-factor.tsx";

type SettingsProps = SettingsData & { person: Person; answer: AccountAnswer | undefined };

/** What a customer can change about their account. */
export function Settings({ person, answer, proof, hasSecondFactor, devices, unshipped }: SettingsProps) {
  const asked = { proof, hasSecondFactor };
  return (
    <>
      <ProfileForm person={person} page={answer} />
      <Password {...asked} email={person.email} page={answer} />
      <SecondFactor {...asked} emailVerified={person.emailVerified} page={answer} />
      <Devices {...asked} devices={devices} page={answer} />
      <DownloadData {...asked} />
      <DeleteAccount {...asked} unshipped={unshipped} page={answer} />
    </>
  );
}
