/** A saved reply as it is said to one person. */

/** Its text with {name} as they call themselves. */
export const fillSavedReply = (body: string, name: string): string =>
  body.replaceAll("{name}", () => name.split(" ")[0] ?? name);
