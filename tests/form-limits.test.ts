/**
 * The server limits all writes of a network (server/request-limits.ts). A form that sends mail, adds rows or checks a
 * secret has a limit of its own besides: here stands which, and that its code asks for it.
 */
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { INTENTS } from "#app/routes/account/tabs.ts";
import { pages } from "./support/site-map.ts";

/** Place of the limit: file, function and call. */
type Limited = { file: string; in?: string; call: string };
/** Why the server's limit on writes is enough. */
type Unlimited = { why: string };

const verified = (file: string, name: string): Limited => ({
  file: `app/routes/account/${file}.server.ts`,
  in: name,
  call: "requireRecentVerification(",
});
const OWN_CART = { why: "a cart holds one row a product and little of each, and a guest's is deleted after its years" };
const OWN_WISHLIST = { why: "a wishlist is a customer's, and holds one row a product" };

const FORMS: Record<string, Limited | Unlimited> = {
  "/auth sign-in": { file: "app/routes/account/auth/action.server.ts", call: "consumeSignIn(" },
  "/auth sign-up": { file: "app/routes/account/auth/action.server.ts", call: 'consumeAttempt(context, "sign-up"' },
  "/auth/verify": { file: "app/routes/account/auth/verify/route.tsx", call: "consumeLimits(linkLimits(" },
  "/auth/two-factor": { file: "app/routes/account/auth/two-factor/route.tsx", call: 'consumeAttempt(context, "code"' },
  "/auth/resend": { file: "app/routes/account/auth/resend.ts", call: "consumeMailFor(" },
  "/admin/sign-in": { file: "app/routes/admin/sign-in.tsx", call: "consumeSignIn(" },
  "/admin/join": { why: "its token is random: there is nothing to guess" },
  "/auth/sign-out": { why: "ends the session it is sent with" },
  "/personal": { why: "removes a cookie of the browser that sends it" },
  "/reset-password": { file: "app/routes/account/reset-password/route.tsx", call: 'consumeAttempt(context, "email"' },
  "/orders/claim": { why: "its token is signed: there is nothing to guess" },
  "/orders/:orderId/return": { file: "shop/returns/request.server.ts", call: ">= MAX_REQUESTS" },
  "/orders/:orderId/returns/:number": { why: "each act is done once to one return, and an order has few of them" },
  "/orders/:orderId address": { file: "shop/fulfillment/address.server.ts", call: "consumeMail(" },
  "/orders/:orderId others": { why: "each is done once to one order, by who may see it; whoever may not is counted" },
  "/orders/find": { file: "app/routes/orders/find.tsx", call: "consumeMailFor(" },
  "/account/download": { file: "app/routes/account/download.ts", call: "requireRecentVerification(" },
  "/account profile": { why: "changes the one row of a customer's profile" },
  "/auth/change-email": { why: "its token is signed, and works for its customer alone" },
  "/account email": verified("action", "askForAnotherEmail"),
  "/account password": verified("action", "changePassword"),
  "/account set-password": {
    file: "app/routes/account/action.server.ts",
    in: "sendPasswordLink",
    call: "consumeMailFor(",
  },
  "/account factor-start": verified("settings/second-factor", "startFactor"),
  "/account factor-verify": {
    file: "app/routes/account/settings/second-factor.server.ts",
    in: "verifyFactor",
    call: 'consumeAttempt(context, "code"',
  },
  "/account factor-remove": verified("settings/second-factor", "removeFactor"),
  "/account factor-codes": verified("settings/second-factor", "newBackupCodes"),
  "/account sign-out-one": verified("action", "signOutOne"),
  "/account sign-out-others": verified("action", "signOutOthers"),
  "/account letters": { why: "a customer has one open consent of each kind, and a row for each choice" },
  "/account leave-waitlist": { why: "ends the one place of a customer" },
  "/account privacy-request": { why: "a customer has one open request of each kind, which staff close" },
  "/account delete": verified("action", "deleteOwnAccount"),
  "/support": { file: "shop/support/contact.server.ts", call: "consumeMail(" },
  "/checkout": { file: "shop/checkout/place-order.server.ts", call: "consumeWithMail(" },
  "/waitlist/join": { file: "shop/waitlist/waitlist.server.ts", call: 'consume(accountLimits("sign-up"' },
  "/back-in-stock": { file: "shop/consents/back-in-stock.server.ts", call: "consume(askLimits(" },
  "/cart/add": OWN_CART,
  "/cart/update": OWN_CART,
  "/cart/remove": OWN_CART,
  "/cart/clear": OWN_CART,
  "/cart/code": OWN_CART,
  "/wishlist/add": OWN_WISHLIST,
  "/wishlist/remove": OWN_WISHLIST,
  "/wishlist/join": OWN_WISHLIST,
};

/** Pages with several forms: which. */
const SEVERAL: Record<string, readonly string[]> = {
  "/account": INTENTS,
  "/auth": ["sign-in", "sign-up"],
  "/orders/:orderId": ["address", "others"],
};

/** A file's text without comments. */
const read = (file: string) => readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");

/** All files that one imports, by however many others. */
function importedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !existsSync(file)) return seen;
  seen.add(file);
  for (const [, path = ""] of read(file).matchAll(/from\s+"([.#][^"]+)"/g)) {
    importedBy(path.startsWith("#") ? path.slice(1) : posix.join(posix.dirname(file), path), seen);
  }
  return seen;
}

const functionIn = (text: string, name: string) =>
  new RegExp(`\\n(?:export )?async function ${name}\\b[\\s\\S]*?\\n\\}\\n`).exec(text)?.[0] ?? "";

const formOf = (name: string) => pages.find(({ path, hasAction }) => hasAction && path === name.split(" ")[0]);

describe("forms", () => {
  it("are all listed here", () => {
    const there = pages
      .filter(({ hasAction }) => hasAction)
      .flatMap(({ path }) => SEVERAL[path]?.map((name) => `${path} ${name}`) ?? [path]);
    expect(Object.keys(FORMS).toSorted()).toEqual(there.toSorted());
  });

  it.each(Object.entries(FORMS).flatMap(([name, limit]) => ("why" in limit ? [] : [{ name, ...limit }])))(
    "$name is counted in $file",
    ({ name, file, in: within, call }) => {
      expect([...importedBy(formOf(name)?.file ?? "")]).toContain(file);
      expect(within ? functionIn(read(file), within) : read(file)).toContain(call);
    },
  );

  it("that require recent verification count every attempt", () => {
    const proof = read("app/session/recent-verification.server.ts");
    expect(proof).toContain("consumeLimits(stepUpLimits(");
    expect(functionIn(proof, "checkCode")).toContain("consumeAttempt(");
  });
});
