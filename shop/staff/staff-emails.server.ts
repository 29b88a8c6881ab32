/** The invitation email. */
import { eq } from "drizzle-orm";
import { brand } from "#shop/brand.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { linkTemplate } from "#shop/mail/email-layout.tsx";
import { INVITATION_DAYS, invitationToken } from "./invitations.server.ts";
import { ROLE_WORDS, type Role } from "#shop/roles.ts";
import { staffInvitations } from "./staff.tables.ts";

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "staff-invitation": { invitationId: string };
  }
}

type Data = { to: string; role: Role; invitedBy: string | null; link: string };

export const staffEmails = {
  "staff-invitation": linkTemplate({
    async load(db, { invitationId }: { invitationId: string }, { baseUrl, secret }): Promise<Data | null> {
      const [found] = await db
        .select({ email: staffInvitations.email, role: staffInvitations.role, invitedBy: users.name })
        .from(staffInvitations)
        .leftJoin(users, eq(users.id, staffInvitations.invitedBy))
        .where(eq(staffInvitations.id, invitationId));
      if (!found?.email) return null;
      const link = `${baseUrl}/admin/join?token=${invitationToken(invitationId, secret)}`;
      return { to: found.email, role: found.role, invitedBy: found.invitedBy, link };
    },
    words: ({ role, invitedBy, link }: Data) => ({
      subject: `Join the team of ${brand.name}`,
      intro: `${invitedBy ?? brand.name} invites you to the back office as ${ROLE_WORDS[role].name.toLowerCase()}. ${ROLE_WORDS[role].does}.`,
      button: "Join",
      link,
      close: `The link works once, for ${INVITATION_DAYS} days. If you do not know what this is about, ignore this mail.`,
    }),
    samples: {
      "of a packer": {
        to: "grace@example.com",
        role: "packer",
        invitedBy: "Ada Lovelace",
        link: "http://localhost:3000/admin/join?token=sample",
      },
    },
  }),
};
