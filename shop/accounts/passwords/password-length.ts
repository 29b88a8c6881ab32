/** How long a password may be, in characters. On its own, so that a page which says so does not load the schemas. */
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;
