/** The site map, in the order a customer meets the pages. */
import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";
import { PUBLIC_PAGES, routeId } from "../shop/pages.ts";

const publicPages = PUBLIC_PAGES.map((page) => {
  const file = `routes/${page.module}`;
  const id = routeId(page);
  return page.path === "/" ? index(file, { id }) : route(page.path.slice(1), file, { id });
});

export default [
  layout("routes/storefront/layout.tsx", [
    ...publicPages,
    route("search", "routes/storefront/search/route.tsx"),
    route("cart", "routes/storefront/cart/route.tsx"),
    route("checkout", "routes/storefront/checkout/route.tsx"),
    route("auth", "routes/account/auth/route.tsx"),
    route("auth/verify", "routes/account/auth/verify/route.tsx"),
    route("auth/two-factor", "routes/account/auth/two-factor/route.tsx"),
    route("reset-password", "routes/account/reset-password/route.tsx"),
    layout("routes/account/layout.tsx", [
      route("orders/claim", "routes/account/claim-order/route.tsx"),
      route("account", "routes/account/route.tsx"),
    ]),
    route("mailbox", "routes/mailbox/route.tsx"),
    route("*", "routes/not-found.tsx"),
  ]),
  // What pages ask for and send to, and what programs read.
  route("search.json", "routes/storefront/search/results-json.ts"),
  route("cart/add", "routes/storefront/cart/add.ts"),
  route("cart/update", "routes/storefront/cart/update.ts"),
  route("cart/remove", "routes/storefront/cart/remove.ts"),
  route("cart/clear", "routes/storefront/cart/clear.ts"),
  route("account/download", "routes/account/download.ts"),
  route("wishlist/add", "routes/storefront/wishlist/add.ts"),
  route("wishlist/remove", "routes/storefront/wishlist/remove.ts"),
  route("wishlist/join", "routes/storefront/wishlist/join.ts"),
  route("personal", "routes/visitor-state.ts"),
  route("waitlist/join", "routes/storefront/waitlist/join.ts"),
  route("auth/resend", "routes/account/auth/resend.ts"),
  route("auth/sign-out", "routes/account/auth/sign-out.ts"),
  route("api/auth/*", "routes/account/api/auth.ts"),
  route("api/me", "routes/account/api/me.ts"),
  route("mailbox.json", "routes/mailbox/mailbox-json.ts"),
] satisfies RouteConfig;
