/** People who can sign in: two examples, or anybody. */
import { z } from "zod";

export const EXAMPLES = [
  { email: "grace.hopper@example.com", firstName: "Grace", lastName: "Hopper", isVerified: true },
  { email: "alan.turing@example.com", firstName: "Alan", lastName: "Turing", isVerified: false },
] as const;

const typed = z.object({
  email: z.email(),
  firstName: z.string().trim().max(100),
  lastName: z.string().trim().max(100),
  verified: z.string().optional(),
});

const claimsOf = (email: string, firstName: string, lastName: string, isVerified: boolean) => ({
  sub: `sandbox-${email.toLowerCase()}`,
  email,
  email_verified: isVerified,
  name: `${firstName} ${lastName}`.trim(),
  given_name: firstName,
  family_name: lastName,
});

/** The claims of the account that a form chose or typed; null for no email. */
export function readPerson(form: URLSearchParams): ReturnType<typeof claimsOf> | null {
  const example = EXAMPLES.find(({ email }) => email === form.get("account"));
  if (example) return claimsOf(example.email, example.firstName, example.lastName, example.isVerified);
  const { data } = typed.safeParse(Object.fromEntries(form));
  return data ? claimsOf(data.email, data.firstName, data.lastName, data.verified !== undefined) : null;
}
