import type { AccountAnswer } from "../answer.ts";
import type { Person, SettingsData } from "../load.server.ts";
import { Devices } from "./devices.tsx";
import { Password } from "./password.tsx";
import { DeleteAccount, DownloadData } from "./privacy.tsx";
import { ProfileForm } from "./profile.tsx";
import { SecondFactor } from "./second-factor.tsx";

type SettingsProps = SettingsData & { person: Person; answer: AccountAnswer | undefined };

/** What a customer can change about their account. */
export function Settings({ person, answer, proof, hasSecondFactor, devices, hasOthers, unshipped }: SettingsProps) {
  return (
    <>
      <ProfileForm person={person} page={answer} />
      <Password proof={proof} email={person.email} page={answer} />
      <SecondFactor
        proof={proof}
        emailVerified={person.emailVerified}
        hasSecondFactor={hasSecondFactor}
        page={answer}
      />
      <Devices devices={devices} hasOthers={hasOthers} page={answer} />
      <DownloadData proof={proof} />
      <DeleteAccount proof={proof} unshipped={unshipped} page={answer} />
    </>
  );
}
