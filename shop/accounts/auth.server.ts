/** Accounts as better-auth keeps them, in the shop's own database: the one place that says how. */
import { betterAuth } from "better-auth/minimal";
import type { BetterAuthOptions } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { genericOAuth, jwt, twoFactor } from "better-auth/plugins";
import { eq, relations } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { decodeJwt } from "jose";
import type { Pool } from "pg";
import type { Database } from "../../db/connection.server.ts";
import { brand } from "../brand.ts";
import type { Report } from "../report.ts";
import type { RateLimits } from "../rate-limits/rate-limits.server.ts";
import * as tables from "./account.tables.ts";
import { PASSWORD_MAX, PASSWORD_MIN } from "./passwords/password-length.ts";
import { authSecrets, oldestSecret } from "./auth-secrets.server.ts";
import { backupCodeOptions, hashedBackupCodes } from "./second-factor/backup-codes.server.ts";
import { ACCOUNT_COOKIES, cookieName, isHttps } from "./sessions/cookie.ts";
import { codeOnce } from "./second-factor/code-once.server.ts";
import { confirmEmail, mailboxProven, type Places } from "./verification/confirm-email.server.ts";
import { googleIssuer } from "./google/google-issuer.server.ts";
import { JWKS_GRACE_SECONDS, JWKS_ROTATION_SECONDS } from "./sessions/signing-keys.ts";
import { hashPassword, hasOtherCost, isFormerHash, verifyPassword } from "./passwords/password-hash.server.ts";
import { endResetLinks, RESET_LINK_SECONDS } from "./passwords/reset-token.server.ts";
import { providerAccounts } from "./google/provider-accounts.server.ts";
import { sessionTokens } from "./sessions/session-tokens.server.ts";
import { signInSteps, type SignedIn } from "./second-factor/sign-in-steps.server.ts";
import { verificationMail } from "./verification/verification-email.server.ts";

export type AuthSettings = {
  secret: string;
  /** Those before it, newest first: what they sealed is still opened. */
  formerSecrets?: string[];
  /** Where the shop is, without a slash at the end. */
  baseUrl: string;
  /** Null: nobody has set Google up. */
  google: { clientId: string; clientSecret: string; issuer: string } | null;
  /** What the emails about accounts count against. */
  rateLimits: RateLimits;
  signedIn?: SignedIn;
  /** Places on the waitlist, which a link to the mailbox confirms too. */
  places?: Places;
  /** Told what better-auth would write to the console. */
  report?: Report;
};

const DAY_SECONDS = 24 * 3600;
const ACCESS_TOKEN_SECONDS = 15 * 60;

/** Google's word is the ID token, which better-auth has verified; without one it would ask for what nobody has signed. */
async function readIdToken({ idToken }: { idToken?: string | undefined }) {
  if (!idToken) return null;
  const claims = decodeJwt(idToken);
  return {
    ...claims,
    email: text(claims.email),
    emailVerified: claims.email_verified === true,
    image: text(claims.picture),
  };
}

const text = (value: unknown) => (typeof value === "string" ? value : "");

/** What better-auth may fetch in one statement instead of two. */
const joins = {
  userJoins: relations(tables.users, ({ many }) => ({ accounts: many(tables.accounts) })),
  sessionJoins: relations(tables.sessions, ({ one }) => ({
    user: one(tables.users, { fields: [tables.sessions.userId], references: [tables.users.id] }),
  })),
  accountJoins: relations(tables.accounts, ({ one }) => ({
    user: one(tables.users, { fields: [tables.accounts.userId], references: [tables.users.id] }),
  })),
};

/** Opens the accounts of one database. `auth.api` refuses by throwing an APIError with a code. */
export function openAuth(db: Database, pool: Pool, settings: AuthSettings) {
  const authDb = drizzle(pool, { schema: { ...tables, ...joins }, casing: "snake_case" });
  const { secret, formerSecrets = [], google } = settings;

  async function verifyAndRenew({ hash, password }: { hash: string; password: string }): Promise<boolean> {
    const isRight = await verifyPassword(hash, password);
    if (!isFormerHash(hash)) return isRight;
    // Of another cost for a wrong one too: how long it takes must not tell an old account from none.
    if (!isRight && !hasOtherCost(hash)) return false;
    const renewed = await hashPassword(password);
    if (isRight) {
      await db.update(tables.accounts).set({ password: renewed }).where(eq(tables.accounts.password, hash));
    }
    return isRight;
  }

  const options = {
    appName: brand.name,
    baseURL: settings.baseUrl,
    ...authSecrets(secret, formerSecrets),
    trustedOrigins: [settings.baseUrl],
    telemetry: { enabled: false },
    logger: {
      level: "error",
      log: (_level, _message, ...details) =>
        settings.report?.(
          details.find((one) => one instanceof Error) ?? new Error("without an error"),
          "better-auth failed",
        ),
    },
    onAPIError: { throw: true },
    database: drizzleAdapter(authDb, {
      provider: "pg",
      transaction: true,
      schema: {
        user: tables.users,
        session: tables.sessions,
        account: tables.accounts,
        verification: tables.verifications,
        twoFactor: tables.twoFactors,
        jwks: tables.jwks,
      },
    }),
    user: {
      additionalFields: {
        firstName: { type: "string", required: false, defaultValue: "" },
        lastName: { type: "string", required: false, defaultValue: "" },
      },
    },
    session: {
      expiresIn: 30 * DAY_SECONDS,
      updateAge: DAY_SECONDS,
      additionalFields: { aal: { type: "string", defaultValue: "aal1", input: false } },
    },
    account: { accountLinking: { enabled: true } },
    verification: { storeIdentifier: "hashed" },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: RESET_LINK_SECONDS,
      password: { hash: hashPassword, verify: verifyAndRenew },
      async onPasswordReset({ user }) {
        await endResetLinks(db, user.id);
        // Whoever opens the link has the mailbox.
        await mailboxProven(db, user.id);
      },
    },
    // Limits are ours, by account and not only by address (account-limits.ts).
    rateLimit: { enabled: false },
    databaseHooks: {
      ...verificationMail(db, settings.rateLimits),
      account: providerAccounts,
    },
    advanced: {
      // Its own way would name them __Secure-, which another host of the domain can set.
      useSecureCookies: false,
      cookiePrefix: cookieName(settings.baseUrl, ACCOUNT_COOKIES),
      database: { generateId: "uuid", joins: true },
      ipAddress: { ipAddressHeaders: ["x-caller-address"] },
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: "/", secure: isHttps(settings.baseUrl) },
    },
    plugins: [
      twoFactor({
        issuer: brand.name,
        allowPasswordless: true,
        backupCodeOptions: backupCodeOptions(oldestSecret(secret, formerSecrets)),
      }),
      hashedBackupCodes(),
      jwt({
        disableSettingJwtHeader: true,
        jwks: { rotationInterval: JWKS_ROTATION_SECONDS, gracePeriod: JWKS_GRACE_SECONDS },
        jwt: {
          definePayload: ({ user, session }) => ({
            email: user.email,
            email_verified: user.emailVerified,
            aal: (session as { aal?: string }).aal ?? "aal1",
            sid: session.id,
            exp: Math.floor(Math.min(Date.now() / 1000 + ACCESS_TOKEN_SECONDS, session.expiresAt.getTime() / 1000)),
          }),
        },
      }),
      genericOAuth({
        config: google
          ? [
              {
                providerId: "google",
                discoveryUrl: `${google.issuer}/.well-known/openid-configuration`,
                clientId: google.clientId,
                clientSecret: google.clientSecret,
                scopes: ["openid", "email", "profile"],
                accessType: "offline",
                prompt: "consent",
                requireIdTokenVerification: true,
                getUserInfo: readIdToken,
                mapProfileToUser: (profile: Record<string, unknown>) => ({
                  name: text(profile.name) || text(profile.email),
                  firstName: text(profile.given_name),
                  lastName: text(profile.family_name),
                }),
              },
            ]
          : [],
      }),
      googleIssuer(google?.issuer),
      codeOnce(db),
      confirmEmail(db, settings),
      signInSteps(settings.signedIn),
      sessionTokens(),
    ],
  } satisfies BetterAuthOptions;
  return betterAuth(options);
}

export type Auth = ReturnType<typeof openAuth>;
