/** Waitlist emails. The confirmation link verifies a silent account, or asks the customer to confirm. */
import { and, eq, isNull } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { isSilent, users } from "#shop/accounts/account.tables.ts";
import { linkTo, type VerifyLink } from "#shop/accounts/email-links.server.ts";
import { brand } from "#shop/brand.ts";
import { emailTemplate, oneClick, type Email, type EmailShop } from "#shop/mail/email.ts";
import { linkEmail, linkTemplate } from "#shop/mail/email-layout.tsx";
import { settings } from "#shop/settings/settings.server.ts";
import { type EarlyProduct, earlyWords, invitationCode, listEarlyProducts } from "./invitations.server.ts";
import { unsubscribeUrl } from "./waitlist.server.ts";
import { waitlist } from "./waitlist.tables.ts";

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "waitlist-welcome": { userId: string };
    "waitlist-invitation": { placeId: string };
  }
}

/** `signsIn` is true for a silent account with an unused link. */
type Welcome = VerifyLink & { signsIn: boolean };

type Invited = {
  to: string;
  link: string;
  unsubscribe: string;
  products: Pick<EarlyProduct, "name" | "priceCents" | "until">[];
};

const sample = { to: "ada@example.com", link: "http://localhost:3000/auth/verify?token=sample" };

/** The invitation as it would be sent now, with a sample link. Null if no product is sold to the waitlist first. */
export async function invitationPreview(
  db: Database,
  shop: EmailShop,
): Promise<Pick<Email, "subject" | "text"> | null> {
  const products = await listEarlyProducts(db);
  if (products.length === 0) return null;
  const link = `${shop.baseUrl}/waitlist/early?code=…`;
  const { subject, text } = invitation(
    { to: sample.to, link, unsubscribe: `${shop.baseUrl}/waitlist/unsubscribe?k=…`, products },
    shop,
  );
  return { subject, text };
}

const invitation = ({ to, link, unsubscribe, products }: Invited, shop: EmailShop): Email => ({
  ...linkEmail(
    to,
    {
      subject: "You’re first in line",
      intro: `You’re on the ${brand.name} waitlist, so you can order before everyone else: ${products.map(earlyWords).join("; ")}. Your link is good for one order.`,
      button: "Order early",
      link,
      close: `The link is yours alone. You’re getting this because you joined our waitlist. Unsubscribe: ${unsubscribe}\n\n${settings().contact.postalAddress.join(", ")}`,
    },
    shop,
  ),
  headers: oneClick(unsubscribe),
});

export const waitlistEmails = {
  "waitlist-welcome": linkTemplate<{ userId: string }, Welcome>({
    async load(db, { userId }, shop) {
      const [place] = await db
        .select({ id: users.id, email: users.email, emailVerified: users.emailVerified, isSilent })
        .from(waitlist)
        .innerJoin(users, eq(users.id, waitlist.userId))
        .where(and(eq(waitlist.userId, userId), isNull(waitlist.verifiedAt)));
      if (!place) return null;
      return { ...(await linkTo(place, shop)), signsIn: place.isSilent && !place.emailVerified };
    },
    words: ({ to, link, signsIn }) => ({
      subject: "Welcome to the waitlist",
      intro: `Thanks for joining. Confirm ${to} and your spot is saved.`,
      button: "Verify email",
      link,
      close: signsIn
        ? "The link works once, for 24 hours, and signs you in to the account that holds your spot. If you didn’t join, ignore this email, or open the link and delete the account."
        : "The link works for 24 hours. If you didn’t join, just ignore this email, and nothing will be confirmed.",
    }),
    samples: {
      "of a new place": { ...sample, signsIn: true },
      "of a customer's place": { ...sample, signsIn: false },
    },
  }),
  "waitlist-invitation": emailTemplate({
    async load(db, { placeId }: { placeId: string }, shop): Promise<Invited | null> {
      const [place] = await db
        .select({ id: waitlist.id, email: waitlist.email })
        .from(waitlist)
        .where(and(eq(waitlist.id, placeId), isNull(waitlist.unsubscribedAt)));
      if (!place) return null;
      const early = await listEarlyProducts(db);
      if (early.length === 0) {
        // Once every product has opened to everyone, an invitation would promise nothing: it waits for the next one.
        await db
          .update(waitlist)
          .set({ sentAt: null })
          .where(and(eq(waitlist.id, placeId), isNull(waitlist.orderId)));
        return null;
      }
      const link = `${shop.baseUrl}/waitlist/early?code=${invitationCode(placeId, shop.secret)}`;
      return { to: place.email, link, unsubscribe: unsubscribeUrl(place.id, shop), products: early };
    },
    render: invitation,
    samples: {
      "of a place": {
        to: sample.to,
        link: "http://localhost:3000/waitlist/early?code=sample",
        unsubscribe: "http://localhost:3000/waitlist/unsubscribe?k=sample",
        products: [{ name: "Polara Pro Earth Green", priceCents: 99_00, until: new Date("2027-01-12T05:00:00Z") }],
      },
    },
  }),
};
