/** Every page is looked at by the tests that look at all screens, and no screen is of a page that is gone. */
import { expect, it } from "vitest";
import { SCREENS } from "./support/screens.ts";
import { pages } from "./support/site-map.ts";

/** Pages that no list of addresses can open, and who opens them instead. */
const ELSEWHERE: Record<string, string> = {
  "/payments/wait": "shown while the payment provider has no time only: tests/http/payments/paying.test.ts opens it",
  "/admin/join": "shown to who has the link of an invitation only: tests/e2e/admin-access.test.ts opens it",
  "/admin/sign-in": "no page of the storefront: tests/e2e/admin-access.test.ts opens it",
  "/waitlist/unsubscribe": "shown to who comes by the link of a mail: tests/http/admin-waitlist.test.ts opens it",
  "/unsubscribe": "shown to who comes by the link of a letter: tests/http/admin-messages.test.ts opens it",
  "/auth/change-email": "shown to a customer who has the link of an email: tests/http/account.test.ts opens it",
  "/orders/:orderId/return": "asked for by the customers of tests/e2e/returns.test.ts",
  "/orders/:orderId/returns/:number": "one return, which tests/e2e/returns.test.ts asks for",
  "/orders/:orderId/returns/:number/slip": "the slip of that return",
  "/privacy/:day": "a version of a legal text by its day: tests/http/texts.test.ts opens it",
  "/terms/:day": "a version of a legal text by its day: tests/http/texts.test.ts opens it",
  "/warranty/:day": "a version of a legal text by its day: tests/http/texts.test.ts opens it",
  "/auth/two-factor": "shown between the two steps of a sign-in only: tests/http/accounts.test.ts opens it",
};

/** The page of an address: one that is named before one of a kind, and 'not found' last. */
function pageOf(address: string) {
  const { pathname } = new URL(address, "http://localhost");
  const pattern = (path: string) => new RegExp(`^${path.replace("*", ".*").replace(/:\w+/g, "[^/]+")}$`);
  return pages
    .filter(({ path }) => pattern(path).test(pathname))
    .toSorted((a, b) => weight(a.path) - weight(b.path))
    .at(0);
}
const weight = (path: string) => (path.includes("*") ? 2 : path.includes(":") ? 1 : 0);

it.each(SCREENS)("the screen $name has a page at $path", ({ name, path }) => {
  const page = pageOf(path);
  expect(page?.rendersPage).toBe(true);
  expect(page?.path === "/*").toBe(name === "not-found");
});

it.each(pages.filter(({ rendersPage }) => rendersPage))("the page $path has a screen", ({ path }) => {
  const screens = SCREENS.filter((screen) => pageOf(screen.path)?.path === path);
  expect(screens.length > 0).toBe(!(path in ELSEWHERE));
});

it("each screen has a name of its own", () => {
  expect(new Set(SCREENS.map(({ name }) => name)).size).toBe(SCREENS.length);
});
