/** `npm run lost-factor -- EMAIL`: removes a second factor whose owner has lost app and backup codes. */
import { eq } from "drizzle-orm";
import { users } from "#shop/accounts/account.tables.ts";
import { removeSecondFactor } from "#shop/accounts/second-factor.server.ts";
import { consumeMail, enqueueEmail } from "#shop/mail/enqueue-email.server.ts";
import { openRateLimits, waitTime } from "#shop/rate-limits/rate-limits.server.ts";
import { invitationToken, listInvitations } from "#shop/staff/invitations.server.ts";
import { isStaff, resetFactor } from "#shop/staff/staff.server.ts";
import { runCommand } from "./run-command.ts";

await runCommand(async ({ env, db, secret }) => {
  const email = process.argv[2]?.toLowerCase();
  if (!email) throw new Error("Name the account: npm run lost-factor -- ada@example.com");
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (!user) throw new Error(`No account has the email ${email}.`);
  const rateLimits = openRateLimits(db, { scale: env.RATE_LIMIT_SCALE, secret });
  const mail = await consumeMail(rateLimits, { to: email, network: "operator" });
  if (!mail.permit) throw new Error(`Many emails went to ${email} just now. Try again in ${waitTime(mail.wait)}.`);
  const { permit } = mail;
  if (await isStaff(db, user.id)) {
    await resetFactor(db, null, user.id, secret, permit);
    const invitation = (await listInvitations(db)).find((one) => one.email === email);
    const link = `${env.BASE_URL}/admin/join?token=${invitationToken(invitation?.id ?? "", secret)}`;
    console.log(`\n  Signed out everywhere. This link, also emailed, sets up a new second factor:\n  ${link}\n`);
  } else {
    await db.transaction(async (tx) => {
      await removeSecondFactor(tx, user.id);
      const change = { userId: user.id, change: "second-factor-off" } as const;
      await enqueueEmail(tx, { template: "account-changed", ...change }, permit);
    });
    console.log(`\n  Signed out everywhere. ${email} signs in with the password alone.\n`);
  }
});
