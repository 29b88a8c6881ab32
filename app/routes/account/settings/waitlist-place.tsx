import { Link } from "react-router";
import { Submit } from "#app/ui/form/form.tsx";
import { LocalTime } from "#app/ui/time/local-time.tsx";
import type { TabData } from "../load.server.ts";
import { Section, SettingsForm } from "./section.tsx";

const ROW = "flex flex-wrap items-center justify-between gap-x-6 gap-y-4";

export function WaitlistPlace({ place }: Pick<TabData<"settings">, "place">) {
  return (
    <Section id="waitlist" title="Waitlist" intro="An invitation to order new bowls before everyone else, by email.">
      {place ? (
        <SettingsForm id="waitlist-form" section="waitlist" className={ROW}>
          <p className="max-w-[46ch]">
            You’ve been on the waitlist since <LocalTime date={place.since} as="day" />.
            {!place.isConfirmed && <span> Verify your email to confirm your spot.</span>}
          </p>
          <Submit intent="leave-waitlist" busy="Leaving..." className="button button-quiet">
            Leave the waitlist
          </Submit>
        </SettingsForm>
      ) : (
        <div className={ROW}>
          <p>You’re not on the waitlist.</p>
          <Link to="/waitlist/join" className="button button-quiet">
            Join the waitlist
          </Link>
        </div>
      )}
    </Section>
  );
}
