/** Sign-in to the back office: guessed codes, and the ends of a session. */
import { describe, expect, it } from "vitest";
import { openSigner } from "#shop/purpose-key.server.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";
import { forgetUsedCodes } from "../support/second-factor.ts";
import { STAFF_COOKIE, type StaffMember } from "../support/staff-member.ts";
import { AUTH_SECRET, signIn, useShop } from "../support/use-shop.ts";
import { Caller, type Visitor } from "../support/visitor.ts";

const { shop, database, staff } = useShop({ RATE_LIMIT_SCALE: "1", TRUST_PROXY: "loopback" });
const browser = () => new Caller(shop.url);
const enter = (who: Visitor, { email, password }: StaffMember, code: string) =>
  who.post("/admin/sign-in", { email, password, code });

/** A browser in which the member signed in to the shop before. */
function knownDevice({ staffId }: StaffMember, id: string): Caller {
  const device = browser();
  const signature = openSigner(AUTH_SECRET, "device").sign(`${id}\n${staffId}`);
  device.carry("polara_device", `${id}.${signature}`);
  return device;
}

it("with a stolen password 30 of 117 codes are tried in an hour, from wherever, and the member is mailed", async () => {
  const member = await staff("manager");
  const networks = Array.from({ length: 12 }, browser);
  const devices = ["a", "b"].map((letter) => knownDevice(member, letter.repeat(22)));
  const guesses = [
    ...Array.from({ length: 97 }, (_, i) => networks[i % 12]!),
    ...Array.from({ length: 20 }, (_, i) => devices[i % 2]!),
  ];
  const statuses: number[] = [];
  // As many passwords at once as the shop queues.
  for (let i = 0; i < guesses.length; i += 15) {
    const some = guesses.slice(i, i + 15).map((who) => enter(who, member, "000000"));
    statuses.push(...(await Promise.all(some)).map(({ status }) => status));
  }
  expect([403, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([30, 87]);
  expect((await enter(browser(), member, await member.code())).status).toBe(429);
  await emailTo(shop.url, member.email, "Ten wrong codes in a row");
});

describe("a session of the back office", () => {
  const withCookie = (cookie: string) => {
    const visitor = browser();
    visitor.carry(STAFF_COOKIE, cookie);
    return visitor;
  };
  const isOpen = async (cookie: string) => (await withCookie(cookie).fetch("/admin")).status === 200;
  const heldCookie = (who: Visitor) => new RegExp(`${STAFF_COOKIE}=([^;]+)`).exec(who.cookieHeader())?.[1] ?? "";

  it("is replaced by a code and by another sign-in, and the former cookie leads to sign-in", async () => {
    const member = await staff("owner", { isFresh: false });
    const { visitor, cookie } = member;
    const form = { email: "grace@example.com", role: "packer", code: await member.code() };
    expect((await visitor.post("/admin/staff?intent=invite", form)).status).toBe(200);
    const proved = heldCookie(visitor);
    expect([await isOpen(cookie), await isOpen(proved)]).toEqual([false, true]);
    await forgetUsedCodes(database.pool, member.email);
    expect((await enter(visitor, member, await member.code())).status).toBe(303);
    expect([await isOpen(proved), await isOpen(heldCookie(visitor))]).toEqual([false, true]);
    expect((await withCookie(cookie).fetch("/admin")).headers.get("Location")).toMatch(/^\/admin\/sign-in/);
  });

  const newPassword = { password: "a new password of mine", confirmPassword: "a new password of mine" };

  it.each([
    {
      by: "a password set by mail",
      says: "because your password was changed",
      async end(_account: Visitor, { email }: StaffMember) {
        const visitor = browser();
        await visitor.post("/reset-password", { email });
        const link = linkIn(await emailTo(shop.url, email, "Set a new password"), "/reset-password");
        return (await visitor.post(link, newPassword)).status;
      },
    },
    {
      by: "a changed password",
      says: "because your password was changed",
      async end(account: Visitor, { password, code }: StaffMember) {
        const fields = { currentPassword: password, code: await code(), ...newPassword };
        return (await account.settings("password", fields)).status;
      },
    },
    {
      by: "signing out all others in Settings",
      says: "You signed out, here or in your account",
      async end(account: Visitor, { password, code }: StaffMember) {
        return (await account.settings("sign-out-others", { password, code: await code() })).status;
      },
    },
    {
      by: "signing it out in Settings",
      says: "You signed out, here or in your account",
      async end(account: Visitor, { password, code, sessionId }: StaffMember) {
        return (await account.settings("sign-out-one", { session: sessionId, password, code: await code() })).status;
      },
    },
  ])("ends by $by", async ({ says, end }) => {
    const [member, colleague] = [await staff("manager"), await staff("packer")];
    const account = browser();
    await signIn(member, account);
    await account.post("/auth/two-factor", { code: await member.code() });
    await forgetUsedCodes(database.pool, member.email);
    const settings = await (await account.fetch("/account?tab=settings")).text();
    expect(settings).toContain("Back office, Unknown device");
    expect([200, 303]).toContain(await end(account, member));
    expect([await isOpen(member.cookie), await isOpen(colleague.cookie)]).toEqual([false, true]);
    expect(await (await member.visitor.fetch("/admin/sign-in")).text()).toContain(says);
  });

  it("of somebody else is not ended in Settings", async () => {
    const [member, colleague] = [await staff("manager"), await staff("packer")];
    const account = browser();
    await signIn(member, account);
    await account.post("/auth/two-factor", { code: await member.code() });
    await forgetUsedCodes(database.pool, member.email);
    const { password } = member;
    const fields = { session: colleague.sessionId, password, code: await member.code() };
    expect((await account.settings("sign-out-one", fields)).status).toBe(404);
    expect(await isOpen(colleague.cookie)).toBe(true);
  });
});
