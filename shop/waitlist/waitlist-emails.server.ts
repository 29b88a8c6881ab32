/** The email that confirms a place on the waitlist: its link verifies the silent account, or asks the customer, whose it is. */
import { and, eq, isNull } from "drizzle-orm";
import { users } from "../accounts/account.tables.ts";
import { linkTo, type VerifyLink } from "../accounts/verification/verify-link.server.ts";
import { brand } from "../brand.ts";
import { emailTemplate } from "../mail/email.ts";
import { linkEmail } from "../mail/link-email.tsx";
import { isSilent } from "./silent-account.sql.ts";
import { waitlist } from "./waitlist.tables.ts";

declare module "../mail/email.ts" {
  interface EmailJobs {
    "waitlist-welcome": { userId: string };
  }
}

/** `signsIn` is true for a silent account whose link was not used yet. */
type Welcome = VerifyLink & { signsIn: boolean };

const sample = { to: "ada@example.com", link: "http://localhost:3000/auth/verify?token=sample" };

export const waitlistEmails = {
  "waitlist-welcome": emailTemplate({
    async load(db, { userId }: { userId: string }, shop) {
      const [place] = await db
        .select({ id: users.id, email: users.email, emailVerified: users.emailVerified, isSilent })
        .from(waitlist)
        .innerJoin(users, eq(users.id, waitlist.userId))
        .where(and(eq(waitlist.userId, userId), isNull(waitlist.verifiedAt)));
      if (!place) return null;
      return { ...(await linkTo(place, shop)), signsIn: place.isSilent && !place.emailVerified };
    },
    render: ({ to, link, signsIn }: Welcome, shop) =>
      linkEmail(
        to,
        {
          subject: "Welcome to the waitlist",
          intro: `Please verify that ${to} is your email address. Your place on the ${brand.name} waitlist is then confirmed.`,
          button: "Verify email",
          link,
          close: signsIn
            ? "The link works for 24 hours and once, and signs you in to the account that keeps your place. If you did not join, ignore this mail, or open the link and delete the account."
            : "The link works for 24 hours. If you did not join, ignore this mail: your place is then never confirmed.",
        },
        shop,
      ),
    samples: {
      "of a new place": { ...sample, signsIn: true },
      "of a customer's place": { ...sample, signsIn: false },
    },
  }),
};
