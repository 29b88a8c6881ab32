import { symmetricEncrypt } from "better-auth/crypto";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { useFreshDatabase } from "../../../tests/support/fresh-database.ts";
import { generousLimits } from "../../../tests/support/rate-limits.ts";
import { cookiesAfter } from "../../../tests/support/visitor.ts";
import { twoFactors, users } from "../account.tables.ts";
import { openAuth, type Auth } from "../auth.server.ts";

const secret = "a secret that only tests know, and long enough";
const password = "an unusual horse";
const shop = useFreshDatabase();
let auth: Auth;
beforeAll(() => {
  auth = openAuth(shop.db, shop.pool, {
    secret,
    baseUrl: "http://localhost:3000",
    google: null,
    rateLimits: generousLimits(shop.db),
  });
});

let made = 0;
async function signUp() {
  const email = `token-${made++}@example.com`;
  const body = { email, password, name: "Ada Lovelace", firstName: "Ada", lastName: "Lovelace" };
  const { headers, response } = await auth.api.signUpEmail({ body, returnHeaders: true });
  await shop.db.update(users).set({ emailVerified: true }).where(eq(users.id, response.user.id));
  return { email, id: response.user.id, browser: new Headers({ Cookie: cookiesAfter(headers) }) };
}

describe("a session that is renewed", () => {
  it("is the same one under another token, which one of two requests at once brings", async () => {
    const { browser } = await signUp();
    const before = await auth.api.getSession({ headers: browser });
    const renew = () => auth.api.renewSession({ headers: browser, returnHeaders: true });
    const answers = await Promise.all([renew(), renew()]);
    // The one that came too late may be told that its session is gone.
    const cookies = answers.map(({ headers }) => cookiesAfter(headers)).filter((sent) => /session_token=\w/.test(sent));
    expect(cookies).toHaveLength(1);
    expect(await auth.api.getSession({ headers: browser })).toBeNull();
    const after = await auth.api.getSession({ headers: new Headers({ Cookie: cookies.join("") }) });
    expect(after?.session).toMatchObject({ id: before?.session.id, createdAt: before?.session.createdAt });
  });
});

describe("backup codes of before, which were kept encrypted", () => {
  it("still work, and are hashes once one was used", async () => {
    const { email, id, browser } = await signUp();
    await auth.api.enableTwoFactor({ body: { password }, headers: browser });
    const sealed = await symmetricEncrypt({ key: secret, data: JSON.stringify(["GhSIH-PX0BP", "tv6Wb-EW6eh"]) });
    await shop.db.update(twoFactors).set({ backupCodes: sealed, verified: true }).where(eq(twoFactors.userId, id));
    await shop.db.update(users).set({ twoFactorEnabled: true }).where(eq(users.id, id));

    const signIn = async (code: string) => {
      const { headers } = await auth.api.signInEmail({ body: { email, password }, returnHeaders: true });
      const call = auth.api.verifyBackupCode({
        body: { code },
        headers: new Headers({ Cookie: cookiesAfter(headers) }),
      });
      return call.then(
        () => "in",
        () => "refused",
      );
    };
    expect([await signIn("GhSIH-PX0BP"), await signIn("GhSIH-PX0BP"), await signIn("tv6Wb-EW6eh")]).toEqual([
      "in",
      "refused",
      "in",
    ]);
    const [kept] = await shop.db.select().from(twoFactors).where(eq(twoFactors.userId, id));
    expect(kept?.backupCodes).toBe("[]");
  });
});
