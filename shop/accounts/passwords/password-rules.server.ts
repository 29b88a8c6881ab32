/** Which passwords nobody may choose: the most common, and those made of what is known about the shop or the person. */
import { eq } from "drizzle-orm";
import type { Database } from "../../../db/connection.server.ts";
import { profiles, users } from "../account.tables.ts";
import { isCommonPassword } from "./common-passwords.server.ts";
import { isMadeOfKnownWords } from "./guessable-words.ts";

const COMMON = "This password is one of the most common. Please choose another.";
const KNOWN = "This password is made of your name, your email or words of this shop. Please choose another.";

export type Person = { email: string; names: string[] };

/** Why this password is refused to this person, in words for under its field; null where it is not. `host` is the shop's. */
export async function passwordProblem(
  password: string,
  { email, names }: Person,
  host: string,
): Promise<string | null> {
  // Wide or raised letters make a common password no other, and neither does what stands behind it.
  for (const form of [password, password.normalize("NFKC")]) {
    const stem = form.replace(/[^\p{L}\p{M}]+$/u, "");
    if ((await isCommonPassword(form)) || (await isCommonPassword(stem))) return COMMON;
  }
  const local = email.slice(0, email.lastIndexOf("@"));
  return isMadeOfKnownWords(password, [...names, local, host]) ? KNOWN : null;
}

/** The customer as a password of theirs may not name them. */
export async function getPerson(db: Database, userId: string): Promise<Person> {
  const [found] = await db
    .select({ user: users, profile: profiles })
    .from(users)
    .leftJoin(profiles, eq(profiles.id, users.id))
    .where(eq(users.id, userId));
  const names = [found?.user, found?.profile].flatMap((of) => (of ? [of.firstName, of.lastName] : []));
  return { email: found?.user.email ?? "", names };
}
