/** The invitation email, which also leads members with a reset second factor back. */
import { eq, sql } from "drizzle-orm";
import { brand } from "#shop/brand.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { linkTemplate } from "#shop/mail/email-layout.tsx";
import { INVITATION_DAYS, invitationToken, joinPath } from "./invitations.server.ts";
import { ROLE_WORDS, type Role } from "#shop/roles.ts";
import { staffInvitations } from "./staff.tables.ts";

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "staff-invitation": { invitationId: string };
  }
}

type Data = { to: string; role: Role; invitedBy: string | null; isMember: boolean; link: string };

const sample = {
  to: "grace@example.com",
  role: "packer",
  invitedBy: "Ada Lovelace",
  link: "http://localhost:3000/admin/join?token=sample",
} as const;

export const staffEmails = {
  "staff-invitation": linkTemplate({
    async load(db, { invitationId }: { invitationId: string }, { baseUrl, secret }): Promise<Data | null> {
      const [found] = await db
        .select({
          email: staffInvitations.email,
          role: staffInvitations.role,
          invitedBy: users.name,
          isMember: sql<boolean>`EXISTS (SELECT FROM staff m JOIN users u ON u.id = m.user_id
            WHERE u.email = ${staffInvitations.email} AND m.disabled_at IS NULL)`,
        })
        .from(staffInvitations)
        .leftJoin(users, eq(users.id, staffInvitations.invitedBy))
        .where(eq(staffInvitations.id, invitationId));
      if (!found?.email) return null;
      const { email: to, ...invitation } = found;
      return { ...invitation, to, link: `${baseUrl}${joinPath(invitationToken(invitationId, secret))}` };
    },
    words: ({ role, invitedBy, isMember, link }: Data) => ({
      link,
      ...(isMember
        ? {
            subject: "Set up two-step sign-in again",
            intro: `${invitedBy ?? brand.name} reset your two-step sign-in. Sign in with your password, set up your authenticator app again, and return to the back office.`,
            button: "Set up again",
            close: `The link works once, for ${INVITATION_DAYS} days. If you didn’t ask for this, tell an owner before you use it.`,
          }
        : {
            subject: `Join the team of ${brand.name}`,
            intro: `${invitedBy ?? brand.name} invites you to the back office as ${ROLE_WORDS[role].name.toLowerCase()}. ${ROLE_WORDS[role].does}. Once you have joined, you sign in at ${new URL("/admin/sign-in", link)}.`,
            button: "Join",
            close: `The link works once, for ${INVITATION_DAYS} days. If you don’t know what this is about, ignore this email.`,
          }),
    }),
    samples: {
      "of a packer": { ...sample, isMember: false },
      "after a lost second factor": { ...sample, isMember: true },
    },
  }),
};
