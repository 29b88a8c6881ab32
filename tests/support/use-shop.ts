/** A shop of one's own for a test file, on a database of its own; both are gone afterwards. */
import { afterAll, beforeAll } from "vitest";
import { makeActor, PASSWORD, type Actor, type Role } from "./actors.ts";
import { useFreshDatabase } from "./fresh-database.ts";
import { giveSecondFactor } from "./second-factor.ts";
import { startShop, type Shop } from "./shop.ts";
import { makeStaff, type StaffMember } from "./staff-member.ts";
import { Visitor } from "./visitor.ts";

export const AUTH_SECRET = "a secret that only tests know and that is long enough";

export function useShop(env: Record<string, string> = {}) {
  const database = useFreshDatabase(5);
  const shop = {} as Shop;
  const visitor = new Visitor("");
  beforeAll(async () => {
    Object.assign(shop, await startShop({ DATABASE_URL: database.url, AUTH_SECRET, ...env }));
    Object.assign(visitor, { url: shop.url });
  });
  afterAll(() => shop.stop());
  /** Somebody made in the database, signed in, with things of their own. */
  const actor = (role: Role) => makeActor(database.pool, shop.url, AUTH_SECRET, role);
  /** A customer with a second factor. */
  const protectedCustomer = async () => {
    const who = await actor("customer");
    return { ...who, ...(await giveSecondFactor(database, AUTH_SECRET, who.userId ?? "")) };
  };
  const staff = (role: StaffMember["role"], options?: Parameters<typeof makeStaff>[3]) =>
    makeStaff(database, { url: shop.url, secret: env.AUTH_SECRET ?? AUTH_SECRET }, role, options);
  return { shop, visitor, database, actor, protectedCustomer, staff };
}

let made = 0;
export const someEmail = () => `somebody-${process.pid}-${made++}@example.com`;

/** The sign-up form, filled in. */
export const signUpForm = (email: string, password = PASSWORD, firstName = "Ada") => ({
  intent: "sign-up",
  redirect: "/",
  firstName,
  lastName: "Lovelace",
  email,
  password,
  confirmPassword: password,
  terms: "on",
});

/** Signs in, in this browser or a new one. */
export const signIn = (
  { email, password, visitor: { url } }: Pick<Actor, "email" | "password" | "visitor">,
  browser = new Visitor(url),
  tried = password,
) => browser.post("/auth", { intent: "sign-in", email, password: tried, redirect: "/" });
