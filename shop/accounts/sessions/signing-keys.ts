/** How long the keys that sign access tokens last, in seconds. */
const DAY_SECONDS = 24 * 3600;

/** A key signs for this long; the next one takes its place by itself. */
export const JWKS_ROTATION_SECONDS = 90 * DAY_SECONDS;

/** It stays published this much longer, for whoever still holds what it signed. */
export const JWKS_GRACE_SECONDS = 30 * DAY_SECONDS;

/** How long other services may go by the list of keys that they read last. */
export const JWKS_MAX_AGE_SECONDS = 15 * 60;
