/** The emails of the waitlist. The one that confirms a place: its link verifies the silent account, or asks the customer, whose it is. */
import { and, eq, isNull } from "drizzle-orm";
import { users } from "../accounts/account.tables.ts";
import { linkTo, type VerifyLink } from "../accounts/verification/verify-link.server.ts";
import { brand } from "../brand.ts";
import { emailTemplate } from "../mail/email.ts";
import { linkEmail } from "../mail/link-email.tsx";
import { isSilent } from "./silent-account.sql.ts";
import { invitationCode } from "./invitation-code.server.ts";
import { unsubscribeUrl } from "./unsubscribe.server.ts";
import { waitlist, waitlistInvitations } from "./waitlist.tables.ts";

declare module "../mail/email.ts" {
  interface EmailJobs {
    "waitlist-welcome": { userId: string };
    "waitlist-invitation": { invitationId: string };
  }
}

/** `signsIn` is true for a silent account whose link was not used yet. */
type Welcome = VerifyLink & { signsIn: boolean };

type Invited = { to: string; link: string; unsubscribe: string };

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
  "waitlist-invitation": emailTemplate({
    async load(db, { invitationId }: { invitationId: string }, shop): Promise<Invited | null> {
      const [place] = await db
        .select({ id: waitlist.id, email: waitlist.email })
        .from(waitlistInvitations)
        .innerJoin(waitlist, eq(waitlist.id, waitlistInvitations.waitlistId))
        .where(and(eq(waitlistInvitations.id, invitationId), isNull(waitlist.unsubscribedAt)));
      if (!place) return null;
      const link = `${shop.baseUrl}/waitlist/early?code=${invitationCode(invitationId, shop.secret)}`;
      return { to: place.email, link, unsubscribe: unsubscribeUrl(place.id, shop) };
    },
    render: ({ to, link, unsubscribe }: Invited, shop) => ({
      ...linkEmail(
        to,
        {
          subject: "You may order first",
          intro: `You are on the ${brand.name} waitlist, so what is new is open to you before it is to everybody. Your link opens it, for one order.`,
          button: "Order early",
          link,
          close: `The link is yours alone. You get this because you joined our waitlist. Unsubscribe: ${unsubscribe}`,
        },
        shop,
      ),
      headers: { "List-Unsubscribe": `<${unsubscribe}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
    }),
    samples: {
      "of a place": {
        to: sample.to,
        link: "http://localhost:3000/waitlist/early?code=sample",
        unsubscribe: "http://localhost:3000/waitlist/unsubscribe?k=sample",
      },
    },
  }),
};
