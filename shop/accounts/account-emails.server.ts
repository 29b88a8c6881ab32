/** The letters with a link to an account. The link is made when the letter is written, so no token waits in the outbox. */
import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt, isNull } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { brand } from "../brand.ts";
import { escapeHtml, letterButton, letterHtml } from "../mail/email-layout.ts";
import type { MailJob } from "../mail/queues.ts";
import type { Letter } from "../mail/transport.server.ts";
import { waitlist } from "../waitlist/waitlist.tables.ts";
import { accounts, users, verifications } from "./account.tables.ts";
import { verifyToken, type Shop } from "./verification/verify-token.server.ts";

export const RESET_LINK_SECONDS = 3600;

type AccountJob = Extract<MailJob, { letter: "verify-email" | "reset-password" }>;

/** The letter of a job, or null where there is nobody to write to, or nothing left to verify. */
export async function accountLetter(db: Database, job: AccountJob, shop: Shop): Promise<Letter | null> {
  const { baseUrl } = shop;
  if (job.letter === "verify-email") {
    const [user] = await db.select().from(users).where(eq(users.id, job.userId));
    if (!user || user.emailVerified) return null;
    const link = `${baseUrl}/auth/verify?token=${await verifyToken(user, shop)}`;
    if (await isOnlyOnWaitlist(db, user.id)) {
      return letter(user.email, {
        subject: "Welcome to the waitlist",
        intro: `Please verify that ${user.email} is your email address. Your place on the ${brand.name} waitlist is then confirmed.`,
        button: "Verify email",
        link,
        close:
          "The link works for 24 hours and once, and signs you in to the account that keeps your place. If you did not join, ignore this mail, or open the link and delete the account.",
      });
    }
    return letter(user.email, {
      subject: "Verify your email",
      intro: `Welcome to ${brand.name}. Please verify that ${user.email} is your email address.`,
      button: "Verify email",
      link,
      close:
        "The link works for 24 hours. If you did not sign up, ignore this mail, or open the link to close the account to whoever did.",
    });
  }
  const [user] = await db.select().from(users).where(eq(users.email, job.email));
  if (!user) return null;
  const token = await makeResetToken(db, user.id);
  return letter(user.email, {
    subject: "Set a new password",
    intro: "Somebody, probably you, asked for a new password.",
    button: "Set a new password",
    link: `${baseUrl}/reset-password?token=${token}`,
    close: "The link works for one hour and once. If you did not ask, ignore this mail: your password stays as it is.",
  });
}

/** The waitlist's silent account: on the list, and without any way in but the link. */
async function isOnlyOnWaitlist(db: Database, userId: string): Promise<boolean> {
  const found = await db
    .select({ id: waitlist.id })
    .from(waitlist)
    .leftJoin(accounts, eq(accounts.userId, waitlist.userId))
    .where(and(eq(waitlist.userId, userId), isNull(accounts.id)));
  return found.length > 0;
}

/** Says that an account is gone, to the address it had. */
export function accountDeletedLetter(email: string, baseUrl: string): Letter {
  return letter(email, {
    subject: "Your account is deleted",
    intro: `As you asked, your ${brand.name} account and everything in it are deleted. Orders that had not shipped are canceled, and nothing was charged for them.`,
    button: "Visit the shop",
    link: `${baseUrl}/shop`,
    close:
      "We keep a record of past orders without your name, address, phone number, and email, as tax rules require. If it was not you who asked, please reply to this mail.",
  });
}

/** What stands in the database of a reset token, as better-auth looks for it: nobody who reads it there can use it. */
const storedReset = (token: string) => createHash("sha256").update(`reset-password:${token}`).digest("base64url");

/** A token for auth.api.resetPassword. */
export async function makeResetToken(db: Database, userId: string): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  await db.insert(verifications).values({
    identifier: storedReset(token),
    value: userId,
    expiresAt: new Date(Date.now() + RESET_LINK_SECONDS * 1000),
  });
  return token;
}

/** The id of the user whose password a link from a mail still sets, or null. Looking does not use it up. */
export async function findResetUser(db: Database, token: string): Promise<string | null> {
  const [found] = await db
    .select({ userId: verifications.value })
    .from(verifications)
    .where(and(eq(verifications.identifier, storedReset(token)), gt(verifications.expiresAt, new Date())));
  return found?.userId ?? null;
}

/** Ends every link that would set this user's password, and every sign-in that waits for its second factor. */
export async function endResetLinks(db: Database, userId: string): Promise<void> {
  await db.delete(verifications).where(eq(verifications.value, userId));
}

type Words = { subject: string; intro: string; button: string; link: string; close: string };

/** A letter about an account: a heading, a sentence, a button, and what to do where it was not the customer. */
export function letter(to: string, { subject, intro, button, link, close }: Words): Letter {
  const body = `<h1 style="margin:0 0 12px;font-size:26px;line-height:1.15;letter-spacing:-0.02em">${escapeHtml(subject)}</h1>
<p style="margin:0;color:#565c61">${escapeHtml(intro)}</p>
${letterButton(link, button)}
<p style="margin:32px 0 0;font-size:14px;color:#565c61">${escapeHtml(close)}</p>`;
  return {
    to,
    subject: `${subject} | ${brand.name}`,
    text: [intro, "", `${button}: ${link}`, "", close].join("\n"),
    html: letterHtml({ title: subject, preview: intro, body }),
  };
}
