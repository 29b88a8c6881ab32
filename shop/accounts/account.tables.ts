/** Users, credentials, sessions and profiles. Columns are better-auth's, except profiles. */
import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { time } from "#db/columns.ts";
import { nameIndexes, nameWords } from "#db/names.sql.ts";
import { oneOf } from "#db/one-of.sql.ts";
import { SUSPENSION_REASONS, type SuspensionReason } from "./suspension.ts";

export const users = pgTable(
  "users",
  {
    id: uuid().primaryKey().defaultRandom(),
    email: text().notNull().unique(),
    emailVerified: boolean().notNull().default(false),
    name: text().notNull(),
    nameWords: text().generatedAlwaysAs(nameWords(sql`name`)),
    image: text(),
    // Names given at sign-up; later changes go to the profile.
    firstName: text().notNull().default(""),
    lastName: text().notNull().default(""),
    twoFactorEnabled: boolean().notNull().default(false),
    /** The email asked for, until its link is confirmed. */
    newEmail: text(),
    suspendedAt: time(),
    suspensionReason: text().$type<SuspensionReason>(),
    /** Written when a session ends; live sessions carry a later time. */
    lastActiveAt: time().notNull().defaultNow(),
    createdAt: time().notNull().defaultNow(),
    updatedAt: time().notNull().defaultNow(),
  },
  (t) => [
    check("users_suspended", sql`(${t.suspendedAt} IS NULL) = (${t.suspensionReason} IS NULL)`),
    check("users_suspension_reason", sql`${t.suspensionReason} IN ${oneOf(Object.keys(SUSPENSION_REASONS))}`),
    index("users_newest").on(t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    // Prefix search of the back office, independent of the database's collation.
    index("users_email_begins").on(sql`lower(${t.email}) text_pattern_ops`),
    ...nameIndexes("users", t.createdAt),
  ],
);

const userId = () =>
  uuid()
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

export const profiles = pgTable("profiles", {
  id: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  firstName: text().notNull().default(""),
  lastName: text().notNull().default(""),
  phone: text().notNull().default(""),
});

export const sessions = pgTable(
  "sessions",
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: userId(),
    token: text().notNull().unique(),
    expiresAt: time().notNull(),
    ipAddress: text(),
    userAgent: text(),
    // Assurance level: aal2 once a second factor was shown.
    aal: text().$type<"aal1" | "aal2">().notNull().default("aal1"),
    createdAt: time().notNull().defaultNow(),
    updatedAt: time().notNull().defaultNow(),
  },
  (t) => [index("sessions_user").on(t.userId)],
);

export const accounts = pgTable(
  "accounts",
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: userId(),
    accountId: text().notNull(),
    providerId: text().notNull(),
    accessToken: text(),
    refreshToken: text(),
    idToken: text(),
    accessTokenExpiresAt: time(),
    refreshTokenExpiresAt: time(),
    scope: text(),
    password: text(),
    createdAt: time().notNull().defaultNow(),
    updatedAt: time().notNull().defaultNow(),
  },
  (t) => [
    unique("accounts_provider_account").on(t.providerId, t.accountId),
    // An email address may change hands; an account takes one Google id (google.server.ts).
    unique("accounts_user_provider").on(t.userId, t.providerId),
  ],
);

export const verifications = pgTable(
  "verifications",
  {
    id: uuid().primaryKey().defaultRandom(),
    identifier: text().notNull(),
    value: text().notNull(),
    expiresAt: time().notNull(),
    createdAt: time().notNull().defaultNow(),
    updatedAt: time().notNull().defaultNow(),
  },
  (t) => [index("verifications_identifier").on(t.identifier)],
);

export const twoFactors = pgTable(
  "two_factors",
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: userId(),
    secret: text().notNull(),
    backupCodes: text().notNull(),
    verified: boolean().notNull().default(true),
    failedVerificationCount: integer().default(0),
    lockedUntil: time(),
    // Latest accepted step of 30 seconds; its codes and earlier ones are refused.
    lastUsedStep: bigint({ mode: "number" }),
  },
  (t) => [unique("two_factors_user").on(t.userId)],
);

export const jwks = pgTable("jwks", {
  id: uuid().primaryKey().defaultRandom(),
  publicKey: text().notNull(),
  privateKey: text().notNull(),
  createdAt: time().notNull(),
  expiresAt: time(),
  alg: text(),
  crv: text(),
});

/** True for a users row without any sign-in method: the waitlist's silent account. */
export const isSilent = sql<boolean>`NOT EXISTS (SELECT 1 FROM ${accounts} WHERE ${accounts.userId} = ${users.id})`;
