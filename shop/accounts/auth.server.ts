/** Configuration of better-auth on the shop's own tables. */
import { betterAuth } from "better-auth/minimal";
import type { BetterAuthOptions } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { genericOAuth, jwt, twoFactor } from "better-auth/plugins";
import { relations } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { decodeJwt } from "jose";
import type { Pool } from "pg";
import type { Database } from "#db/connection.server.ts";
import { brand } from "#shop/brand.ts";
import { purposeKey } from "#shop/purpose-key.server.ts";
import type { Report } from "#shop/report.ts";
import type { RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import * as tables from "./account.tables.ts";
import { PASSWORD_MAX, PASSWORD_MIN } from "./account-forms.ts";
import { backupCodeOptions, secondFactorHooks } from "./second-factor.server.ts";
import { ACCOUNT_COOKIES, cookieName, isHttps } from "./sessions.server.ts";
import { type SignedIn, signInHooks, verificationMail } from "./sign-in-hooks.server.ts";
import { confirmEmail, mailboxProven, type Places } from "./confirm-email.server.ts";
import { googleIssuer, providerAccounts } from "./google.server.ts";
import { hashPassword, verifyPassword } from "./passwords/password-hash.server.ts";
import { endResetLinks, RESET_LINK_SECONDS } from "./email-links.server.ts";

type AuthSettings = {
  secret: string;
  /** Former secrets, newest first. */
  formerSecrets?: string[];
  /** Origin of the shop, without a trailing slash. */
  baseUrl: string;
  /** Null if Google sign-in is not configured. */
  google: { clientId: string; clientSecret: string; issuer: string } | null;
  rateLimits: RateLimits;
  signedIn?: SignedIn;
  /** The waitlist, whose places are confirmed by the same link. */
  places?: Places;
  /** Receives errors that better-auth would log. */
  report?: Report;
};

const DAY_SECONDS = 24 * 3600;
const ACCESS_TOKEN_SECONDS = 15 * 60;

/**
 * Secrets that decrypt, the first of which encrypts. The version is stored beside the ciphertext, so it must not depend
 * on their order; ciphertext without one was made with the oldest.
 */
const authSecrets = (all: string[]) => ({
  secret: all.at(-1),
  secrets: [...new Set(all)].map((value) => ({
    version: purposeKey(value, "version of a secret").export().readUIntBE(0, 6),
    value,
  })),
});

/** The verified ID token is the only source; a user-info request would be unsigned. */
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

/** Anybody can send an answer in Google's name. What is wrong with its state is a refused sign-in and no failure. */
const isRefusedCallback = (message: string, error: Error | undefined): boolean =>
  message === "State not found" ||
  message === "INVALID_CALLBACK_REQUEST" ||
  (message === "Failed to parse state" && error?.name === "BetterAuthError");

/** Relations that let better-auth join instead of sending two statements. */
const joins = {
  userJoins: relations(tables.users, ({ many }) => ({ accounts: many(tables.accounts) })),
  sessionJoins: relations(tables.sessions, ({ one }) => ({
    user: one(tables.users, { fields: [tables.sessions.userId], references: [tables.users.id] }),
  })),
  accountJoins: relations(tables.accounts, ({ one }) => ({
    user: one(tables.users, { fields: [tables.accounts.userId], references: [tables.users.id] }),
  })),
};

/** Creates the auth instance of one database. `auth.api` refuses by throwing an APIError with a code. */
export function openAuth(db: Database, pool: Pool, settings: AuthSettings) {
  const authDb = drizzle(pool, { schema: { ...tables, ...joins }, casing: "snake_case" });
  const { secret, formerSecrets = [], google } = settings;

  const options = {
    appName: brand.name,
    baseURL: settings.baseUrl,
    ...authSecrets([secret, ...formerSecrets]),
    trustedOrigins: [settings.baseUrl],
    telemetry: { enabled: false },
    logger: {
      level: "error",
      log(_level, message, ...details) {
        const error = details.find((one) => one instanceof Error);
        if (isRefusedCallback(message, error)) return;
        settings.report?.(error ?? new Error("without an error"), "better-auth failed");
      },
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
        suspensionReason: { type: "string", required: false, input: false },
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
      password: { hash: hashPassword, verify: ({ hash, password }) => verifyPassword(hash, password) },
      async onPasswordReset({ user }) {
        await endResetLinks(db, user.id);
        // The reset link proves the mailbox.
        await mailboxProven(db, user.id);
      },
    },
    // The shop's own limits apply (account-limits.ts).
    rateLimit: { enabled: false },
    databaseHooks: {
      ...verificationMail(db, settings.rateLimits),
      account: providerAccounts,
    },
    advanced: {
      // better-auth would prefix __Secure-, which a sibling host can set.
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
        backupCodeOptions,
      }),
      jwt({
        disableSettingJwtHeader: true,
        // A rotated key stays published for the tokens still in use.
        jwks: { rotationInterval: 90 * DAY_SECONDS, gracePeriod: 30 * DAY_SECONDS },
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
      secondFactorHooks(db),
      confirmEmail(db, settings),
      signInHooks(settings.signedIn),
    ],
  } satisfies BetterAuthOptions;
  return betterAuth(options);
}

export type Auth = ReturnType<typeof openAuth>;
