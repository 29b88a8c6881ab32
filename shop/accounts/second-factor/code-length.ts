/** The longest that is typed as a code: a backup code has 31 characters with its dashes, some type spaces too. */
export const MAX_CODE_CHARACTERS = 40;
