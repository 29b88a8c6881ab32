/** Emails about an account. Links are made when an email is rendered, so no token waits in the queue. */
import { eq } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { brand } from "#shop/brand.ts";
import { consumeMail, enqueueEmail } from "#shop/mail/enqueue-email.server.ts";
import { linkTemplate } from "#shop/mail/email-layout.tsx";
import type { RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { users } from "./account.tables.ts";
import { makeResetToken, verifyLink, type VerifyLink, verifyToken } from "./email-links.server.ts";
import { SUSPENSION_REASONS, type SuspensionReason } from "./suspension.ts";

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "verify-email": { userId: string };
    /** Queued for every address, so the answer does not reveal which ones have an account. */
    "reset-password": { email: string };
    /** Carries the address, because the account is gone. */
    "account-deleted": { email: string };
    "data-deleted": { email: string };
    "change-email": { userId: string };
    /** Carries the former address, which the account no longer has. */
    "email-changed": { email: string };
    "account-suspended": { userId: string };
    "account-changed": AccountChanged;
  }
}

const ada = "ada@example.com";

export type AccountChange = "password" | "second-factor-on" | "second-factor-off" | "new-device" | "wrong-codes";

type AccountChanged = { userId: string; change: AccountChange };

const WORDS: Record<AccountChange, { subject: string; intro: string }> = {
  password: {
    subject: "Your password was changed",
    intro: `The password of your ${brand.name} account was changed, and your other devices were signed out.`,
  },
  "second-factor-on": {
    subject: "Two-step sign-in is on",
    intro: `Your ${brand.name} account now asks for a code as well as your password. Your other devices were signed out.`,
  },
  "second-factor-off": {
    subject: "Two-step sign-in is off",
    intro: `Your ${brand.name} account no longer asks for a code. Your password alone signs you in.`,
  },
  "new-device": {
    subject: "New sign-in to your account",
    intro: `Someone (probably you) just signed in to your ${brand.name} account in a new browser.`,
  },
  "wrong-codes": {
    subject: "Ten wrong codes in a row",
    intro: `Someone entered ten wrong codes in a row for you in the ${brand.name} back office. They know your password, or are using a browser where you’re signed in.`,
  },
};

const changes = Object.keys(WORDS) as AccountChange[];

const accountChanged = linkTemplate({
  async load(db, { userId, change }: AccountChanged) {
    const [user] = await db.select({ to: users.email }).from(users).where(eq(users.id, userId));
    return user ? { ...user, change } : null;
  },
  words: ({ change }: { to: string; change: AccountChange }, shop) => ({
    ...WORDS[change],
    button: "Set a new password",
    link: `${shop.baseUrl}/reset-password`,
    close:
      "If it was you, there’s nothing to do. If not, set a new password now, which signs you out everywhere, and reply to this email.",
  }),
  samples: Object.fromEntries(changes.map((change) => [change, { to: ada, change }])),
});

/** Emails the owner about a change or a sign-in. The change stands even if this inbox or network has reached its limit. */
export async function emailOwner(
  db: Database,
  rateLimits: RateLimits,
  { userId, network }: { userId: string; network: string },
  change: AccountChange,
): Promise<void> {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  // An unverified address may belong to somebody else.
  if (!user?.emailVerified) return;
  const { permit } = await consumeMail(rateLimits, { to: user.email, network });
  if (permit) await enqueueEmail(db, { template: "account-changed", userId, change }, permit);
}

const deletedEmail = (subject: string, gone: string) =>
  linkTemplate({
    // The address is removed from the job after delivery.
    load: async (_db, { email }: { email?: string }) => (email ? { to: email } : null),
    words: (_person: { to: string }, shop) => ({
      subject,
      intro: `As you asked, ${gone} deleted. Orders that hadn’t shipped are canceled, and we refund anything you paid for them.`,
      button: "Visit the shop",
      link: `${shop.baseUrl}/shop`,
      close:
        "We keep a record of past orders without your name, address, phone number, and email, as tax rules require. If you didn’t ask for this, please reply to this email.",
    }),
    samples: { "of a person": { to: ada } },
  });

export const accountEmails = {
  "verify-email": linkTemplate({
    load: (db, { userId }: { userId: string }, shop) => verifyLink(db, userId, shop),
    words: ({ to, link }: VerifyLink) => ({
      subject: "Verify your email",
      intro: `Welcome to ${brand.name}. Please verify that ${to} is your email address.`,
      button: "Verify email",
      link,
      close: "The link works for 24 hours. Didn’t sign up? Ignore this email, or open the link to lock them out.",
    }),
    samples: { "of a new account": { to: ada, link: "http://localhost:3000/auth/verify?token=sample" } },
  }),

  "reset-password": linkTemplate({
    async load(db, { email }: { email?: string }, { baseUrl }) {
      // The address is removed from the job after delivery.
      if (!email) return null;
      const [user] = await db.select({ id: users.id, email: users.email }).from(users).where(eq(users.email, email));
      if (!user) return null;
      return { to: user.email, link: `${baseUrl}/reset-password?token=${await makeResetToken(db, user.id)}` };
    },
    words: ({ link }: { to: string; link: string }) => ({
      subject: "Set a new password",
      intro: "Someone (probably you) asked to set a new password.",
      button: "Set a new password",
      link,
      close:
        "The link works once, for one hour. If you didn’t ask, ignore this email, and your password stays the same.",
    }),
    samples: { "of an account": { to: ada, link: "http://localhost:3000/reset-password?token=sample" } },
  }),

  "account-changed": accountChanged,

  "change-email": linkTemplate({
    async load(db, { userId }: { userId: string }, shop) {
      const [user] = await db.select({ email: users.newEmail }).from(users).where(eq(users.id, userId));
      if (!user?.email) return null;
      const token = await verifyToken({ id: userId, email: user.email }, shop);
      return { to: user.email, link: `${shop.baseUrl}/auth/change-email?token=${token}` };
    },
    words: ({ link }: VerifyLink) => ({
      subject: "Confirm your new email",
      intro: `You asked to use this address for your ${brand.name} account. Open the link where you’re signed in, or sign in first.`,
      button: "Confirm new email",
      link,
      close: "The link works for 24 hours. If you didn’t ask, ignore this email, and nothing changes.",
    }),
    samples: { "of an account": { to: ada, link: "http://localhost:3000/auth/change-email?token=sample" } },
  }),

  "email-changed": linkTemplate({
    // The address is removed from the job after delivery.
    load: async (_db, { email }: { email?: string }) => (email ? { to: email } : null),
    words: (_person: { to: string }, shop) => ({
      subject: "Your email was changed",
      intro: `Your ${brand.name} account now has a different email. This address no longer signs in, and won’t get emails about the account or its orders.`,
      button: "Sign in",
      link: `${shop.baseUrl}/auth`,
      close:
        "If it was you, there’s nothing to do. If not, reply to this email now, and we’ll help you get the account back.",
    }),
    samples: { "to the former address": { to: ada } },
  }),

  /** The words follow the account at the time of sending: suspended, or open again. */
  "account-suspended": linkTemplate({
    async load(db, { userId }: { userId: string }) {
      const { email: to, suspensionReason: reason } = users;
      const [user] = await db.select({ to, reason }).from(users).where(eq(users.id, userId));
      return user ?? null;
    },
    words: ({ reason }: { to: string; reason: SuspensionReason | null }, shop) =>
      reason
        ? {
            subject: "Your account is suspended",
            intro: `We suspended your ${brand.name} account. ${SUSPENSION_REASONS[reason]} You’re signed out, and can’t sign in for now. Your orders aren’t affected, and the links in their emails still work.`,
            button: "Our terms",
            link: `${shop.baseUrl}/terms#account`,
            close:
              "If you think this is wrong, reply to this email, and a person will take another look. You can still ask us for a copy of your data, or to delete it.",
          }
        : {
            subject: "Your account is open again",
            intro: `We ended the suspension of your ${brand.name} account. You can sign in again.`,
            button: "Sign in",
            link: `${shop.baseUrl}/auth`,
            close: "Thank you for your patience.",
          },
    samples: { "for fraud": { to: ada, reason: "fraud" }, "that has ended": { to: ada, reason: null } },
  }),

  "account-deleted": deletedEmail("Your account is deleted", `your ${brand.name} account and everything in it are`),
  /** For a guest, erased by staff. */
  "data-deleted": deletedEmail("Your data is deleted", `what ${brand.name} held about you is`),
};
