/**
 * Permissions. One list for every route and action: a new one without a row here fails. Whatever
 * a row tries, nobody's things but the caller's own may change, and nobody else's may be shown.
 */
import { describe, expect, it } from "vitest";
import { INTENTS, type Intent } from "#app/routes/account/tabs.ts";
import { verifyToken } from "#shop/accounts/email-links.server.ts";
import { claimToken, orderKey } from "#shop/orders/order-link.server.ts";
import { DELETE_WORD } from "#shop/accounts/account-forms.ts";
import { idsOf, ROLES, secretsOf, thingsOf, type Actor, type Role, type Thing } from "../support/actors.ts";
import { pages, serverRoutes } from "../support/site-map.ts";
import type { Visitor } from "../support/visitor.ts";
import { AUTH_SECRET, signUpForm, useShop } from "../support/use-shop.ts";
import { fixedPages } from "#shop/pages.ts";

type Statuses = Record<Role, number>;
type Row = {
  /** Method and address, as the site map has it. */
  at: string;
  /** The owner of the target; defaults to the visitor. */
  whose?: Role;
  what?: string;
  statuses: Statuses;
  send: (who: Visitor, theirs: Actor) => Promise<Response>;
  /** It shows what is everyone's to see, by design. */
  showsAll?: true;
};

/** In the order of ROLES: guest, other guest, customer, other customer, unverified customer. */
const each = (...codes: [number, number, number, number, number]) =>
  Object.fromEntries(ROLES.map((role, i) => [role, codes[i]])) as Statuses;
const all = (code: number) => each(code, code, code, code, code);
/** Customer pages: guests are redirected or refused. */
const guestsSignIn = (code: number) => each(302, 302, code, code, code);
const signedIn = (code: number) => each(401, 401, code, code, code);
const customersOwn = (code: number) => each(404, 404, code, 404, 404);
/** Forms for guests: whoever is signed in already is sent on. */
const signedInSentOn = (code: number) => each(code, code, 302, 302, 302);

const get = (path: string, statuses: Statuses, address = path): Row => ({
  at: `GET ${path}`,
  statuses,
  send: (who) => who.fetch(address),
});
type Fields = (theirs: Actor) => Record<string, string> | Promise<Record<string, string>>;
/** A form sent by the shop's own script, which is told the status as it is. */
const post = (path: string, statuses: Statuses, fields: Fields, more: Partial<Row> = {}): Row => ({
  at: `POST ${path}`,
  statuses,
  send: async (who, theirs) => who.post(path, await fields(theirs), { Accept: "*/*" }),
  ...more,
});
const none = () => ({});
/** One of the forms of the account page, with the things of a customer in it, whoever sends it. */
const intent = (name: Intent, statuses: Statuses | number, fields: Fields): Row =>
  post(
    "/account",
    typeof statuses === "number" ? guestsSignIn(statuses) : statuses,
    async (theirs) => ({ intent: name, ...(await fields(theirs)) }),
    { whose: "customer", what: name },
  );

const link = async ({ userId, email, visitor }: Actor) =>
  `/auth/verify?token=${await verifyToken({ id: userId ?? "", email }, { baseUrl: visitor.url, secret: AUTH_SECRET })}`;

const newAddress = {
  intent: "address",
  shippingFirstName: "Somebody",
  shippingLastName: "Else",
  shippingAddressLine1: "1 Other Street",
  shippingCity: "Albany",
  shippingState: "NY",
  shippingPostalCode: "12207",
};

/** A form about somebody's order. */
const ofOrder = (path: string, whose: Role, what: string, statuses: Statuses, fields: Record<string, string>): Row => ({
  at: `POST /orders/:orderId${path.replace(/\?.*/, "").replace(/\/R-.*/, "/:number")}`,
  what,
  whose,
  statuses,
  send: (who, { orderId }) => who.post(`/orders/${orderId}${path}`, fields, { Accept: "*/*" }),
});

const claimLink = ({ orderId, email }: Actor) =>
  `/orders/claim?token=${claimToken({ id: orderId, email }, AUTH_SECRET)}`;

/** An id that nothing has. */
const NOBODYS = "8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f750";

const rows: Row[] = [
  ...fixedPages.map(({ path }) => get(path, all(200))),
  get("/product/:slug", all(200), "/product/travel-sleeve"),
  get("/search", all(200), "/search?q=sleeve"),
  ...["/terms", "/privacy", "/warranty"].map((path) => get(`${path}/:day`, all(404), `${path}/2000-01-01`)),
  // Only where sales tax is collected.
  get("/checkout/tax.json", all(404)),
  get("/search.json", all(200), "/search.json?q=sleeve"),
  get("/blog/:slug", all(200), "/blog/what-one-apple-does-to-your-greens"),
  get("/*", all(404), "/no/such/page"),
  post("/support", all(400), none),

  // Addresses of forms lead readers to a page.
  ...["add", "update", "remove", "clear", "code"].map((name) => get(`/cart/${name}`, all(302))),
  ...["add", "remove", "join"].map((name) => get(`/wishlist/${name}`, all(302))),
  ...["/account/download", "/.well-known/change-password", "/auth/resend", "/auth/sign-out"].map((path) =>
    get(path, all(302)),
  ),

  // Cart: a line belongs to whoever put it there.
  get("/cart", all(200)),
  post("/cart/add", all(200), ({ productId }) => ({ productId, quantity: "1" })),
  post("/cart/update", all(200), ({ lineId }) => ({ itemId: lineId, quantity: "3" })),
  post("/cart/update", each(200, 404, 404, 404, 404), ({ lineId }) => ({ itemId: lineId, quantity: "3" }), {
    whose: "guest",
  }),
  post("/cart/update", each(404, 404, 200, 404, 404), ({ lineId }) => ({ itemId: lineId, quantity: "0" }), {
    whose: "customer",
  }),
  post("/cart/remove", each(200, 404, 404, 404, 404), ({ lineId }) => ({ itemId: lineId }), { whose: "guest" }),
  post("/cart/remove", each(404, 404, 200, 404, 404), ({ lineId }) => ({ itemId: lineId }), { whose: "customer" }),
  post("/cart/clear", all(200), none),
  post("/cart/code", all(200), () => ({ code: "SPRING10" })),
  get("/discount/:code", all(303), "/discount/SPRING10"),

  // Checkout: one's own cart, with a verified email, and nobody else's order by its key.
  get("/checkout", all(200)),
  post("/checkout", each(400, 400, 400, 400, 403), none, { what: "an empty form" }),
  {
    at: "POST /checkout",
    what: "order with one's own cart",
    statuses: each(200, 200, 200, 200, 403),
    send: (who) => who.checkout(),
  },
  {
    at: "POST /checkout",
    what: "order with the key of an order that was placed",
    whose: "customer",
    statuses: each(409, 409, 200, 409, 403),
    send: (who, { checkoutKey }) => who.checkout({ checkoutKey }),
  },

  // Back from paying: whoever has the link, which is made for each order.
  get("/payments/return", all(404)),
  get("/payments/wait", all(404)),
  // By its signature alone, and only where payment is set up.
  { ...post("/payments/stripe/events", all(405), none), at: "POST /payments/stripe/events" },
  { ...post("/payments/paypal/events", all(405), none), at: "POST /payments/paypal/events" },
  { ...post("/inbox/mail", all(405), none), at: "POST /inbox/mail" },
  { ...post("/carriers/easypost/events", all(405), none), at: "POST /carriers/easypost/events" },
  { ...get("/payment-sandbox/*", all(404), "/payment-sandbox/pay/none"), at: "ALL /payment-sandbox/*" },
  { ...get("/google-sandbox/*", all(400), "/google-sandbox/authorize"), at: "ALL /google-sandbox/*" },

  // A guest's order, by the link in its confirmation: for the account with its email only.
  get("/orders/claim", all(410)),
  post("/orders/claim", all(410), none),
  {
    at: "GET /orders/claim",
    what: "open the link of a guest's order",
    whose: "guest",
    statuses: all(200),
    send: (who, theirs) => who.fetch(claimLink(theirs)),
  },
  {
    at: "POST /orders/claim",
    what: "add a guest's order",
    whose: "guest",
    statuses: each(302, 302, 403, 403, 403),
    send: (who, theirs) => who.post(claimLink(theirs), {}, { Accept: "*/*" }),
  },

  // An order's page: for its customer, and for whoever has the link of its emails.
  ...["", "/receipt", "/returns/:number", "/returns/:number/slip", "/photos/:photoId"].map((part) => {
    const path = `/orders/:orderId${part}`;
    return get(path, all(404), path.replace(":number", "R-7KQ2MX").replaceAll(/:\w+/g, NOBODYS));
  }),
  ofOrder("/returns/R-7KQ2MX", "customer", "withdraw a return that is not there", all(404), { intent: "withdraw" }),
  ofOrder("/return?kind=return", "customer", "return what has not shipped", customersOwn(303), {}),
  ...(["", "/receipt", "/return"] as const).flatMap((part): Row[] => [
    {
      at: `GET /orders/:orderId${part}`,
      what: "of a customer",
      whose: "customer",
      statuses: customersOwn(200),
      send: (who, { orderId }) => who.fetch(`/orders/${orderId}${part}`),
    },
    {
      at: `GET /orders/:orderId${part}`,
      what: "of a guest, without its link",
      whose: "guest",
      statuses: all(404),
      send: (who, { orderId }) => who.fetch(`/orders/${orderId}${part}`),
    },
  ]),
  {
    at: "GET /orders/:orderId",
    what: "by the link of its emails, which is for whoever has it",
    whose: "guest",
    statuses: all(303),
    send: (who, { orderId }) =>
      who.fetch(`/orders/${orderId}?k=${orderKey({ id: orderId, linkVersion: 1 }, AUTH_SECRET)}`),
    showsAll: true,
  },
  ofOrder("", "customer", "cancel", customersOwn(303), { intent: "cancel" }),
  ofOrder("", "guest", "cancel", all(404), { intent: "cancel" }),
  ofOrder("", "customer", "change the address", customersOwn(303), newAddress),
  ofOrder("", "guest", "change the address", all(404), newAddress),
  get("/orders/find", all(200)),
  post("/orders/find", all(200), ({ orderId, email }) => ({ number: orderId.slice(0, 8), email }), {
    whose: "customer",
  }),

  // The account: one's own, behind sign-in.
  ...["", "?tab=orders", "?tab=wishlist", "?tab=settings"].map((query) => ({
    ...get("/account", guestsSignIn(200), `/account${query}`),
    what: query,
  })),
  intent("profile", 200, () => ({ firstName: "Somebody", lastName: "Else", phone: "" })),
  intent("email", 200, ({ password }) => ({ newEmail: "somebody.else@example.org", password })),
  intent("password", 200, ({ password }) => ({
    currentPassword: password,
    password: "another horse",
    confirmPassword: "another horse",
  })),
  intent("set-password", 200, none),
  intent("factor-start", each(302, 302, 200, 200, 403), ({ password }) => ({ password })),
  intent("factor-verify", each(302, 302, 400, 400, 409), () => ({ code: "000000" })),
  intent("factor-remove", 200, ({ password }) => ({ password })),
  intent("factor-codes", 409, ({ password }) => ({ password })),
  intent("sign-out-one", each(302, 302, 200, 404, 404), ({ password, sessionIds: [, second = ""] }) => ({
    password,
    session: second,
  })),
  intent("sign-out-others", 200, ({ password, sessionIds: [, second = ""] }) => ({ password, session: second })),
  intent("letters", each(302, 302, 200, 200, 403), () => ({ news: "on" })),
  intent("leave-waitlist", 200, none),
  intent("privacy-request", each(302, 302, 200, 200, 403), () => ({
    kind: "correction",
    details: "My name is Augusta.",
  })),
  intent("delete", 303, ({ password }) => ({ confirmation: DELETE_WORD, password })),
  post("/account/download", guestsSignIn(200), ({ password }) => ({ password })),

  // The wishlist: the session says whose, whatever the form says.
  post("/wishlist/add", signedIn(200), ({ productId }) => ({ productId }), {
    whose: "customer",
  }),
  post("/wishlist/remove", signedIn(200), ({ productId }) => ({ productId }), {
    whose: "customer",
  }),
  post("/wishlist/join", signedIn(200), ({ productId }) => ({ guestWishlist: JSON.stringify([productId]) }), {
    whose: "customer",
  }),

  get("/personal", all(200)),
  post("/personal", all(204), () => ({ shown: "signed-up" })),
  get("/auth", signedInSentOn(200)),
  post("/auth", signedInSentOn(401), ({ email }) => ({ intent: "sign-in", email, password: "wrong horse" }), {
    whose: "customer",
    what: "sign in with a wrong password",
  }),
  post("/auth", signedInSentOn(422), ({ email }) => signUpForm(email), {
    whose: "customer",
    what: "sign up with a known email",
  }),
  get("/auth/verify", all(410)),
  {
    at: "GET /auth/verify",
    what: "open the link in somebody's mail",
    whose: "unverified customer",
    statuses: each(200, 200, 200, 200, 303),
    send: async (who, theirs) => who.fetch(await link(theirs)),
  },
  post("/auth/verify", all(400), none),
  get("/auth/change-email", guestsSignIn(410)),
  post("/auth/change-email", guestsSignIn(410), none),
  {
    at: "POST /auth/change-email",
    what: "press the button of somebody's link",
    whose: "customer",
    statuses: each(302, 302, 410, 410, 410),
    send: async (who, { userId, email, visitor: { url } }) => {
      const shopOf = { baseUrl: url, secret: AUTH_SECRET };
      const token = await verifyToken({ id: userId ?? "", email: `new-${email}` }, shopOf);
      return who.post(`/auth/change-email?token=${token}`, {}, { Accept: "*/*" });
    },
  },
  get("/auth/two-factor", signedInSentOn(200)),
  post("/auth/two-factor", signedInSentOn(401), () => ({ code: "000000" })),
  post("/auth/resend", each(401, 401, 200, 200, 200), none),
  post("/auth/sign-out", all(303), none),
  get("/reset-password", all(200)),
  post("/reset-password", all(200), ({ email }) => ({ email }), { whose: "customer" }),
  get("/api/auth/*", all(404), "/api/auth/list-sessions"),
  get("/api/auth/*", all(200), "/api/auth/jwks"),
  get("/api/auth/*", each(401, 401, 200, 200, 200), "/api/auth/token"),
  get("/api/me", all(401)),

  get("/waitlist/join", all(200)),
  get("/back-in-stock", all(404)),
  post("/back-in-stock", all(409), ({ email }) => ({ email }), { whose: "customer" }),
  get("/waitlist/early", all(303)),
  get("/waitlist/unsubscribe", all(200)),
  // By a link of a mail, which nobody can make up.
  post("/waitlist/unsubscribe", all(404), none),
  get("/unsubscribe", all(200)),
  post("/unsubscribe", all(404), none),
  post("/mailbox.json", all(415), none),
  post("/waitlist/join", all(409), ({ email }) => ({ email }), { whose: "customer" }),

  // The mailbox of a shop without a mail server.
  { ...get("/mailbox", all(200)), showsAll: true },
  { ...get("/mailbox.json", all(200)), showsAll: true },

  // The way into the back office: with password and code, or by the link of an invitation.
  get("/admin/sign-in", all(200)),
  post("/admin/sign-in", all(400), none),
  get("/admin/join", all(404)),
  post("/admin/join", all(404), none),

  get("/admin/live", all(404)),

  // Before the pages: the server's own.
  ...["/robots.txt", "/site.webmanifest", "/sitemap.xml", "/feeds/google.xml", "/llms.txt", "/shop.md"].map((path) =>
    get(path, all(200)),
  ),
  get("/product/:file{.+\\\\.md}", all(200), "/product/travel-sleeve.md"),
  get("/:page{.+\\\\.md}", all(200), "/about.md"),
  get("/api/products/:slug", all(200), "/api/products/travel-sleeve"),
  // The gauges to this machine only.
  ...["/api/products", "/api/openapi.json", "/healthz", "/readyz", "/metrics"].map((path) => get(path, all(200))),
  get("/assets/*", all(404), "/assets/none.js"),
  get("/images/*", all(404), "/images/none.png"),
];

it("the list has a row for every route, action and form of the account page", () => {
  const asked = new Set(rows.map(({ at }) => at));
  const there = pages.flatMap(({ path, hasAction }) => [`GET ${path}`, ...(hasAction ? [`POST ${path}`] : [])]);
  expect(there.length).toBeGreaterThan(20);
  expect(serverRoutes()).toContain("GET /healthz");
  const known = new Set([...there, ...serverRoutes()]);
  expect([...known].filter((at) => !asked.has(at))).toEqual([]);
  expect([...asked].filter((at) => !known.has(at))).toEqual([]);
  expect(INTENTS.filter((name) => !rows.some(({ at, what }) => at === "POST /account" && what === name))).toEqual([]);
});

describe("permissions", () => {
  const { database, actor } = useShop();

  const everyone = async () => {
    const made = await Promise.all(ROLES.map(actor));
    return Object.fromEntries(made.map((one) => [one.role, one])) as Record<Role, Actor>;
  };
  let readers: ReturnType<typeof everyone> | undefined;
  /** Use extends a session. */
  const unused = (things: Thing[]) =>
    things.map((thing) => ({ ...thing, row: { ...thing.row, updated_at: null, expires_at: null } }));

  it.each(
    rows.map((row) => [[row.at, row.what, row.whose && `(${row.whose}'s)`].filter(Boolean).join(" "), row] as const),
  )("%s", async (_name, { at, whose, send, statuses, showsAll }) => {
    // What is refused to all, and reading one's own, changes nothing: the same five ask, and are compared once.
    const isReading = at.startsWith("GET ") ? !whose : Object.values(statuses).every((status) => status >= 400);
    const actors = await (isReading ? (readers ??= everyone()) : everyone());
    const answered = {} as Statuses;
    // The owner comes last, with the only accepted change.
    let before = await thingsOf(database.pool, Object.values(actors));
    for (const role of [...ROLES].sort((a, b) => Number(a === whose) - Number(b === whose))) {
      const others = ROLES.filter((other) => other !== role).map((other) => actors[other]);
      const own = idsOf(actors[role]);
      const ofOthers = (things: Thing[]) => things.filter(({ owner }) => !own.includes(owner));
      expect(ofOthers(before)).not.toEqual([]);
      const response = await send(actors[role].visitor, actors[whose ?? role]);
      answered[role] = response.status;
      // Answers may repeat typed text.
      if (at.startsWith("POST ")) expect(response.headers.get("Cache-Control"), role).toMatch(/\bno-store\b/);
      const told = `${response.headers.get("Location")} ${await response.text()}`;
      if (!isReading) {
        const after = await thingsOf(database.pool, Object.values(actors));
        expect(ofOthers(after), `what ${role} changed of others'`).toEqual(ofOthers(before));
        before = after;
      }
      if (!showsAll) {
        const asked = whose && whose !== role ? [actors[whose].email] : [];
        const seen = others.flatMap(secretsOf).filter((word) => told.includes(word) && !asked.includes(word));
        expect(seen, `what ${role} was shown of others'`).toEqual([]);
      }
    }
    if (isReading) expect(unused(await thingsOf(database.pool, Object.values(actors)))).toEqual(unused(before));
    expect(answered).toEqual(statuses);
  });

  it("a page without an action refuses forms", async () => {
    const { customer } = await everyone();
    for (const { path } of pages.filter(({ hasAction }) => !hasAction)) {
      // The server itself answers what is sent there.
      if (path.endsWith("/unsubscribe") || path === "/mailbox.json") continue;
      const address = path.replace(":slug", "travel-sleeve").replace("*", "none");
      expect((await customer.visitor.post(address, {})).status, path).toBe(405);
    }
  });

  it("a page's data is as private as the page", async () => {
    const actors = await everyone();
    for (const { path } of pages) {
      const address = path === "/" ? "/_.data" : `${path.replace(":slug", "travel-sleeve").replace("*", "none")}.data`;
      for (const role of ROLES) {
        const told = await (await actors[role].visitor.fetch(address)).text();
        const others = ROLES.filter((other) => other !== role).flatMap((other) => secretsOf(actors[other]));
        expect(
          others.filter((word) => told.includes(word)),
          `${role} at ${address}`,
        ).toEqual([]);
      }
    }
  });
});
