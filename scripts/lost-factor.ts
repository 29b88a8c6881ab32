/** `npm run lost-factor -- EMAIL`: removes a second factor whose owner has lost app and backup codes. */
import { eq } from "drizzle-orm";
import { isDatabaseDown, openDatabase } from "#db/connection.server.ts";
import { attachEmbedded } from "#db/embedded.ts";
import { authSecret, readEnv, systemEnvironment } from "#platform/environment.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { removeSecondFactor } from "#shop/accounts/second-factor.server.ts";
import { consumeMail, enqueueEmail } from "#shop/mail/enqueue-email.server.ts";
import { openRateLimits, waitTime } from "#shop/rate-limits/rate-limits.server.ts";
import { invitationToken, listInvitations } from "#shop/staff/invitations.server.ts";
import { isStaff, resetFactor } from "#shop/staff/staff.server.ts";

const ends: (() => Promise<void>)[] = [];
try {
  const email = process.argv[2]?.toLowerCase();
  if (!email) throw new Error("Name the account: npm run lost-factor -- ada@example.com");
  const env = readEnv();
  const database = env.DATABASE_URL
    ? { url: env.DATABASE_URL, stop: async () => {} }
    : await attachEmbedded(env.DATA_DIR, systemEnvironment());
  ends.push(() => database.stop());
  const { db, pool } = openDatabase(database.url, 1);
  ends.push(() => pool.end());
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (!user) throw new Error(`No account has the email ${email}.`);
  const secret = env.AUTH_SECRET ?? authSecret(env.DATA_DIR);
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
} catch (error) {
  if (isDatabaseDown(error)) console.error("The database does not answer. Try again once it does.");
  else console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  for (const end of ends.toReversed()) await end();
}
