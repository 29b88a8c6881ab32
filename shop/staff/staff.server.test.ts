import { describe, expect, it } from "vitest";
import { giveSecondFactor } from "#tests/support/second-factor.ts";
import { makeStaff } from "#tests/support/staff-member.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { anyPermit } from "#tests/support/mail-permit.ts";
import { verifyToken } from "#shop/accounts/email-links.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { askForEmail, changeEmail } from "#shop/privacy/change-email.server.ts";
import { findInvitation, firstOwnerToken, invitationToken, inviteStaff, joinStaff } from "./invitations.server.ts";
import type { Role } from "#shop/roles.ts";
import { endSessionsOf, listStaffSessions, readStaffSession, type SessionEnd } from "./sessions.server.ts";
import { checkStaffPassword, proveStaff, signInStaff } from "./sign-in.server.ts";
import { changeRole, disableStaff, enableStaff, endStaffSessions, listStaff, resetFactor } from "./staff.server.ts";

const SECRET = "a secret that only tests know, and long enough";
const database = useFreshDatabase(5);
const FROM = { address: "203.0.113.7", requestId: "a-request" };
const DEVICE = { ...FROM, userAgent: "a browser" };

const make = (role: Role, options?: Parameters<typeof makeStaff>[3]) =>
  makeStaff(database, { url: "http://localhost", secret: SECRET }, role, options);
const asBy = (staffId: string, role: Role): Acting => ({ staffId, role, ...FROM });

async function makeAccount(email: string, hasFactor = true) {
  const { rows } = await database.pool.query<{ id: string }>(
    "INSERT INTO users (email, email_verified, name) VALUES ($1, true, 'Somebody') RETURNING id",
    [email],
  );
  const account = { id: rows[0]!.id, email };
  if (hasFactor) await giveSecondFactor(database, SECRET, account.id);
  return account;
}

const audited = async (subject: string) =>
  (
    await database.pool.query<{ action: string }>("SELECT action FROM audit_log WHERE subject = $1 ORDER BY id", [
      subject,
    ])
  ).rows.map(({ action }) => action);

describe("the first owner", () => {
  it("has a link until there is an owner, new at each start", async () => {
    const former = await firstOwnerToken(database.db, SECRET);
    const token = await firstOwnerToken(database.db, SECRET);
    expect(await findInvitation(database.db, former!)).toBeNull();
    expect(await findInvitation(database.db, token!)).toMatchObject({ email: null, role: "owner" });
  });

  it("is one of two who open the link at once", async () => {
    const token = (await firstOwnerToken(database.db, SECRET))!;
    const two = await Promise.all([makeAccount("first@example.com"), makeAccount("second@example.com")]);
    const joined = await Promise.all(two.map((account) => joinStaff(database.db, token, account, FROM)));
    expect(joined.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    expect(await firstOwnerToken(database.db, SECRET)).toBeNull();
  });

  it("has a link for 24 hours", async () => {
    await database.pool.query("UPDATE staff SET disabled_at = now() WHERE role = 'owner'");
    const token = (await firstOwnerToken(database.db, SECRET))!;
    await database.pool.query("UPDATE staff_invitations SET expires_at = expires_at - interval '24 hours 1 second'");
    expect(await findInvitation(database.db, token)).toBeNull();
    const account = await makeAccount("late@example.com");
    expect(await joinStaff(database.db, token, account, FROM)).toEqual({ ok: false, reason: "gone" });
  });
});

async function tokenFor(email: string) {
  const { rows } = await database.pool.query<{ id: string }>(
    "SELECT id FROM staff_invitations WHERE email = $1 AND accepted_at IS NULL",
    [email],
  );
  return rows[0] ? invitationToken(rows[0].id, SECRET) : "";
}

describe("an invitation", () => {
  const invite = async (email: string, role: Role) => {
    const owner = await make("owner");
    const result = await inviteStaff(database.db, asBy(owner.staffId, "owner"), { email, role }, SECRET, anyPermit);
    return { result, token: await tokenFor(email) };
  };

  it("is for one email, an account with a second factor, and one use", async () => {
    const { token } = await invite("grace@example.com", "packer");
    const other = await makeAccount("other@example.com");
    expect(await joinStaff(database.db, token, other, FROM)).toEqual({ ok: false, reason: "other-email" });
    const grace = await makeAccount("grace@example.com", false);
    expect(await joinStaff(database.db, token, grace, FROM)).toEqual({ ok: false, reason: "no-factor" });
    await giveSecondFactor(database, SECRET, grace.id);
    expect(await joinStaff(database.db, token, grace, FROM)).toEqual({ ok: true });
    expect(await joinStaff(database.db, token, grace, FROM)).toEqual({ ok: false, reason: "gone" });
    expect(await audited(`staff:${grace.id}`)).toEqual(["staff.join"]);
  });

  it("is one for an address, also of two owners at once", async () => {
    const owners = [await make("owner"), await make("owner")].map(({ staffId }) => asBy(staffId, "owner"));
    for (const email of ["both-1@example.com", "both-2@example.com", "both-3@example.com"]) {
      const invited = owners.map((by) => inviteStaff(database.db, by, { email, role: "packer" }, SECRET, anyPermit));
      expect(await Promise.all(invited)).toEqual([{ ok: true }, { ok: true }]);
      const { rowCount } = await database.pool.query("SELECT FROM staff_invitations WHERE email = $1", [email]);
      expect(rowCount).toBe(1);
    }
  });

  it.each([
    ["is disabled", disableStaff],
    ["is an owner no more", (...of: Parameters<typeof disableStaff>) => changeRole(...of, "manager")],
  ])("ends when the owner who sent it %s, unlike those of others", async (_how, end) => {
    const [owner, other] = [await make("owner"), await make("owner")].map(({ staffId }) => asBy(staffId, "owner"));
    const tokens = [];
    for (const by of [owner!, other!]) {
      const email = `${by.staffId}@friends.example`;
      await inviteStaff(database.db, by, { email, role: "owner" }, SECRET, anyPermit);
      tokens.push(await tokenFor(email));
    }
    expect(await end(database.db, other!, owner!.staffId)).toEqual({ ok: true });
    const found = await Promise.all(tokens.map((token) => findInvitation(database.db, token)));
    expect(found.map((invitation) => invitation?.invitedBy)).toEqual([undefined, other!.staffId]);
  });

  it("replaces the one before it, and is refused for current staff", async () => {
    const first = await invite("twice@example.com", "packer");
    const second = await invite("twice@example.com", "support");
    expect(await findInvitation(database.db, first.token)).toBeNull();
    expect(await findInvitation(database.db, second.token)).toMatchObject({ role: "support" });
    const member = await make("support");
    expect((await invite(member.email, "owner")).result).toEqual({ ok: false, reason: "is-staff" });
    await database.pool.query("UPDATE staff SET factor_id = NULL WHERE user_id = $1", [member.staffId]);
    expect((await invite(member.email, "owner")).result).toEqual({ ok: false, reason: "is-staff" });
  });
});

describe("the link of a lost phone", () => {
  const lose = async (role: Role) => {
    const by = asBy((await make("owner")).staffId, "owner");
    const { staffId, email } = await make(role);
    await resetFactor(database.db, by, staffId, SECRET, anyPermit);
    const token = await tokenFor(email);
    await giveSecondFactor(database, SECRET, staffId);
    const join = () => joinStaff(database.db, token, { id: staffId, email }, FROM);
    const roleNow = async () => (await listStaff(database.db)).find(({ id }) => id === staffId)?.role;
    return { by, staffId, email, token, join, roleNow };
  };

  it("ends when the member is disabled, unlike a stranger's invitation", async () => {
    const { by, staffId, join } = await lose("manager");
    await inviteStaff(database.db, by, { email: "stranger@example.com", role: "packer" }, SECRET, anyPermit);
    await disableStaff(database.db, by, staffId);
    await enableStaff(database.db, by, staffId);
    expect(await join()).toEqual({ ok: false, reason: "gone" });
    expect(await findInvitation(database.db, await tokenFor("stranger@example.com"))).toMatchObject({ role: "packer" });
  });

  it("leaves a member the role that an owner gave since", async () => {
    const { by, staffId, token, join, roleNow } = await lose("manager");
    await changeRole(database.db, by, staffId, "owner");
    expect(await findInvitation(database.db, token)).toMatchObject({ role: "owner" });
    expect(await join()).toEqual({ ok: true });
    expect(await roleNow()).toBe("owner");
  });

  it("ends when the account gets another email", async () => {
    const { staffId, join } = await lose("manager");
    const email = "moved@example.com";
    const shop = { baseUrl: "http://localhost", secret: SECRET };
    await askForEmail(database.db, staffId, email, anyPermit);
    const token = await verifyToken({ id: staffId, email }, shop);
    const change = { token, userId: staffId, sessionId: staffId, permit: null };
    expect(await changeEmail(database.db, change, shop)).toEqual({ ok: true });
    expect(await join()).toEqual({ ok: false, reason: "gone" });
  });

  it("gives way to an invitation of a disabled member, whose role counts unless they are active again", async () => {
    for (const [isEnabled, role] of [
      [false, "packer"],
      [true, "manager"],
    ] as const) {
      const { by, staffId, email, roleNow } = await lose("manager");
      await disableStaff(database.db, by, staffId);
      await inviteStaff(database.db, by, { email, role: "packer" }, SECRET, anyPermit);
      if (isEnabled) await enableStaff(database.db, by, staffId);
      expect(await joinStaff(database.db, await tokenFor(email), { id: staffId, email }, FROM)).toEqual({ ok: true });
      expect(await roleNow()).toBe(role);
    }
  });
});

describe("signing in", () => {
  const signIn = async ({ code, ...who }: { email: string; password: string; code: string }) => {
    const member = await checkStaffPassword(database.db, who);
    const signedIn = member && (await signInStaff(database.db, SECRET, member, code, DEVICE));
    return signedIn?.ok ? signedIn : null;
  };

  it("requires email, password and code together, and accepts the code once", async () => {
    const { email, password, code, staffId } = await make("support");
    const now = await code();
    expect(await signIn({ email, password: "wrong horse", code: now })).toBeNull();
    expect(await signIn({ email, password, code: "000000" })).toBeNull();
    const signedIn = await signIn({ email: email.toUpperCase(), password, code: now });
    expect(signedIn?.session).toMatchObject({ staffId, role: "support", isFresh: true });
    expect(await readStaffSession(database.db, signedIn!.token)).toMatchObject({ staffId });
    expect(await signIn({ email, password, code: now })).toBeNull();
  });

  it("refuses customers, disabled staff, and a replaced second factor", async () => {
    const customer = await makeAccount("customer@example.com");
    expect(await signIn({ ...customer, password: "correct horse", code: "000000" })).toBeNull();
    const disabled = await make("manager", { isDisabled: true });
    expect(await signIn({ ...disabled, code: await disabled.code() })).toBeNull();
    const renewed = await make("manager");
    await database.pool.query("DELETE FROM two_factors WHERE user_id = $1", [renewed.staffId]);
    const { code } = await giveSecondFactor(database, SECRET, renewed.staffId);
    expect(await readStaffSession(database.db, renewed.token)).toBe("factor");
    expect(await signIn({ ...renewed, code: await code() })).toBeNull();
  });

  it("reports each ten wrong codes in a row", async () => {
    const { email, password, code } = await make("support");
    const member = (await checkStaffPassword(database.db, { email, password }))!;
    const enter = async (typed: string) => {
      const result = await signInStaff(database.db, SECRET, member, typed, DEVICE);
      return result.ok ? "right" : result.isAlarming;
    };
    const wrong = async (times: number) => {
      const reports = [];
      for (let i = 0; i < times; i++) reports.push(await enter("00000"));
      return reports.flatMap((isAlarming, i) => (isAlarming ? i + 1 : []));
    };
    expect(await wrong(9)).toEqual([]);
    expect(await enter(await code())).toBe("right");
    expect(await wrong(21)).toEqual([10, 20]);
  });
});

describe("a session", () => {
  const aged = async (token: string, sessionId: string, set: string) => {
    await database.pool.query(`UPDATE staff_sessions SET ${set} WHERE id = $1`, [sessionId]);
    return readStaffSession(database.db, token);
  };

  it("ends after 12 hours, and after 30 minutes without a request", async () => {
    const { token, sessionId } = await make("packer");
    const twelve = "created_at = now() - interval '11 hours 59 minutes'";
    expect(await aged(token, sessionId, twelve)).toMatchObject({ role: "packer" });
    expect(await aged(token, sessionId, "created_at = now() - interval '12 hours'")).toBe("expired");
    const idle = await make("packer");
    expect(await aged(idle.token, idle.sessionId, "last_seen_at = now() - interval '29 minutes'")).toMatchObject({});
    expect(await aged(idle.token, idle.sessionId, "last_seen_at = last_seen_at - interval '29 minutes'")).toMatchObject(
      {},
    );
    expect(await aged(idle.token, idle.sessionId, "last_seen_at = now() - interval '30 minutes'")).toBe("expired");
    expect(await readStaffSession(database.db, "nobody's")).toBeNull();
  });

  it("is not extended by live updates", async () => {
    const { token, sessionId } = await make("packer");
    await aged(token, sessionId, "last_seen_at = now() - interval '29 minutes'");
    await database.pool.query("UPDATE staff_sessions SET last_seen_at = now() - interval '29 minutes' WHERE id = $1", [
      sessionId,
    ]);
    expect(await readStaffSession(database.db, token, { watches: true })).toMatchObject({ role: "packer" });
    expect(await aged(token, sessionId, "last_seen_at = last_seen_at - interval '1 minute'")).toBe("expired");
  });

  it("is recently verified for ten minutes after a code", async () => {
    const { token, code, sessionId } = await make("owner", { isFresh: false });
    const session = await readStaffSession(database.db, token);
    if (session === null || typeof session === "string") throw new Error("no session");
    expect(session.isFresh).toBe(false);
    expect(await proveStaff(database.db, SECRET, session, "000000")).toMatchObject({ ok: false });
    await aged(token, sessionId, "created_at = now() - interval '11 hours'");
    const proved = await proveStaff(database.db, SECRET, session, await code());
    if (!proved.ok) throw new Error("the code is right");
    expect(await readStaffSession(database.db, token)).toBe("replaced");
    expect(await readStaffSession(database.db, proved.token)).toMatchObject({ isFresh: true });
    const { id } = proved.session;
    expect(await aged(proved.token, id, "proved_at = now() - interval '10 minutes'")).toMatchObject({ isFresh: false });
    expect(await aged(proved.token, id, "created_at = created_at - interval '1 hour'")).toBe("expired");
  });

  it("tells why it ended", async () => {
    const owner = await make("owner");
    const by = asBy(owner.staffId, "owner");
    const ends: [SessionEnd, (staffId: string) => Promise<unknown>][] = [
      ["owner", (id) => endStaffSessions(database.db, by, id)],
      ["disabled", (id) => disableStaff(database.db, by, id)],
      ["reset", (id) => resetFactor(database.db, by, id, SECRET, anyPermit)],
      ["password", (id) => database.pool.query("UPDATE accounts SET password = 'new' WHERE user_id = $1", [id])],
      ["self", (id) => endSessionsOf(database.db, id, "self")],
      ["factor", (id) => database.pool.query("DELETE FROM two_factors WHERE user_id = $1", [id])],
    ];
    for (const [reason, end] of ends) {
      const { token, staffId, sessionId } = await make("packer");
      expect(await listStaffSessions(database.db, staffId)).toMatchObject([{ id: sessionId }]);
      await end(staffId);
      expect(await readStaffSession(database.db, token), reason).toBe(reason);
      expect(await listStaffSessions(database.db, staffId), reason).toEqual([]);
    }
  });
});

describe("an owner", () => {
  it("revokes permissions at once, and each change is audited", async () => {
    const [owner, other] = [await make("owner"), await make("manager")];
    const by = asBy(owner.staffId, "owner");
    await changeRole(database.db, by, other.staffId, "packer");
    expect(await readStaffSession(database.db, other.token)).toMatchObject({ role: "packer" });
    await endStaffSessions(database.db, by, other.staffId);
    const again = await make("support");
    await disableStaff(database.db, by, again.staffId);
    expect(await resetFactor(database.db, by, again.staffId, SECRET, anyPermit)).toMatchObject({ ok: false });
    await enableStaff(database.db, by, again.staffId);
    await resetFactor(database.db, by, again.staffId, SECRET, anyPermit);
    expect(await audited(`staff:${other.staffId}`)).toEqual(["staff.role", "staff.sign-out"]);
    expect(await audited(`staff:${again.staffId}`)).toEqual(["staff.disable", "staff.enable", "staff.factor"]);
  });

  it("always remains: of two who disable each other at once, one does", async () => {
    await database.pool.query("UPDATE staff SET disabled_at = now() WHERE role = 'owner'");
    const [one, two] = [await make("owner"), await make("owner")];
    const ended = await Promise.all([
      disableStaff(database.db, asBy(one.staffId, "owner"), two.staffId),
      changeRole(database.db, asBy(two.staffId, "owner"), one.staffId, "packer"),
    ]);
    expect(ended.filter(({ ok }) => ok)).toHaveLength(1);
    expect(ended).toContainEqual({ ok: false, reason: "last-owner" });
  });

  it("always remains who can sign in: one whose second factor was reset does not count", async () => {
    await database.pool.query("UPDATE staff SET disabled_at = now() WHERE role = 'owner'");
    const [one, two] = [await make("owner"), await make("owner")];
    const by = asBy(one.staffId, "owner");
    await resetFactor(database.db, by, two.staffId, SECRET, anyPermit);
    expect(await disableStaff(database.db, by, one.staffId)).toEqual({ ok: false, reason: "last-owner" });
    expect(await changeRole(database.db, by, one.staffId, "packer")).toEqual({ ok: false, reason: "last-owner" });
    expect(await disableStaff(database.db, by, two.staffId)).toEqual({ ok: true });
  });
});

it("a row of the audit log never changes, except for its expired address", async () => {
  const change = (set: string) =>
    database.pool.query(`UPDATE audit_log SET ${set} WHERE id = (SELECT min(id) FROM audit_log)`);
  await expect(change("action = 'nothing'")).rejects.toThrow("append-only");
  await expect(change("address = '203.0.113.8'")).rejects.toThrow("append-only");
  await expect(database.pool.query("DELETE FROM audit_log")).rejects.toThrow("append-only");
  await change("address = NULL");
});
