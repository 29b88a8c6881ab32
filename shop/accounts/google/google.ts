/** Where Google says who somebody is, and all that the shop may ask by HTTP for it. */
export const GOOGLE_ISSUER = "https://accounts.google.com";

/** Its description names these for the tokens and for the keys that sign them. */
const GOOGLE_ORIGINS = [GOOGLE_ISSUER, "https://oauth2.googleapis.com", "https://www.googleapis.com"];

/** The origins that a sign-in by `issuer` may ask: Google's three, or the one of another provider. */
export const providerOrigins = (issuer: string): string[] =>
  issuer === GOOGLE_ISSUER ? GOOGLE_ORIGINS : [new URL(issuer).origin];
