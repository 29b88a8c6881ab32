/** The site map, in the order of a customer's visit. */
import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";
import { isLegal, plainTexts, PUBLIC_PAGES, routeId } from "#shop/pages.ts";

const publicPages = PUBLIC_PAGES.map((page) => {
  const file = `routes/${page.module}`;
  const id = routeId(page);
  return page.path === "/" ? index(file, { id }) : route(page.path.slice(1), file, { id });
});

/** Versions of the legal texts, by their day of effect. */
const versions = plainTexts
  .filter(isLegal)
  .map(({ path }) =>
    route(`${path.slice(1)}/:day`, "routes/content/text/version.tsx", { id: `routes/content${path}/version` }),
  );

export default [
  layout("routes/storefront/layout.tsx", [
    ...publicPages,
    ...versions,
    route("search", "routes/storefront/search/route.tsx"),
    route("cart", "routes/storefront/cart/route.tsx"),
    route("checkout", "routes/storefront/checkout/route.tsx"),
    route("orders/find", "routes/orders/find.tsx"),
    route("auth", "routes/account/auth/route.tsx"),
    route("auth/two-factor", "routes/account/auth/two-factor/route.tsx"),
    route("reset-password", "routes/account/reset-password/route.tsx"),
    layout("routes/account/layout.tsx", [
      route("auth/change-email", "routes/account/change-email.tsx"),
      route("orders/claim", "routes/account/claim-order/route.tsx"),
      route("orders/:orderId", "routes/orders/route.tsx"),
      route("orders/:orderId/receipt", "routes/orders/receipt.tsx"),
      route("orders/:orderId/return", "routes/orders/returns/request.tsx"),
      route("orders/:orderId/returns/:number", "routes/orders/returns/return.tsx"),
      route("orders/:orderId/returns/:number/slip", "routes/orders/returns/slip.tsx"),
      route("account", "routes/account/route.tsx"),
    ]),
    route("auth/verify", "routes/account/auth/verify/route.tsx"),
    route("payments/wait", "routes/storefront/payments/wait.tsx"),
    ...["waitlist/unsubscribe", "unsubscribe"].map((path) =>
      route(path, "routes/storefront/unsubscribe.tsx", { id: path }),
    ),
    route("mailbox", "routes/mailbox/route.tsx"),
    ...["add", "update", "remove", "clear", "code"].map((change) =>
      route(`cart/${change}`, "routes/storefront/cart/change.ts", { id: `cart-${change}` }),
    ),
    ...["add", "remove", "join"].map((change) =>
      route(`wishlist/${change}`, "routes/storefront/wishlist/change.ts", { id: `wishlist-${change}` }),
    ),
    route("back-in-stock", "routes/storefront/back-in-stock.tsx"),
    route("waitlist/join", "routes/storefront/waitlist/join.tsx"),
    route("personal", "routes/visitor-state.ts"),
    route(".well-known/change-password", "routes/account/settings/change-password.ts"),
    route("auth/resend", "routes/account/auth/resend.ts"),
    route("*", "routes/not-found.tsx"),
  ]),
  // The back office: sign-in, and the screens that require it.
  route("admin/sign-in", "routes/admin/sign-in.tsx"),
  route("admin/join", "routes/admin/join.tsx"),
  layout("routes/admin/layout.tsx", [
    route("admin", "routes/admin/today/route.tsx"),
    route("admin/orders", "routes/admin/orders/route.tsx"),
    route("admin/orders/new", "routes/admin/orders/new/route.tsx"),
    route("admin/orders/slips", "routes/admin/orders/slips.tsx"),
    route("admin/orders/label/:shipmentId", "routes/admin/orders/label.ts"),
    route("admin/orders/export", "routes/admin/orders/export.ts"),
    route("admin/orders/:orderId", "routes/admin/orders/order/route.tsx"),
    route("admin/returns", "routes/admin/returns/route.tsx"),
    route("admin/returns/:returnId", "routes/admin/returns/return/route.tsx"),
    route("admin/returns/:returnId/photos/:photoId", "routes/admin/returns/photo.ts"),
    route("admin/products", "routes/admin/products/route.tsx"),
    route("admin/products/new", "routes/admin/products/new.tsx"),
    route("admin/products/preview", "routes/admin/products/preview.tsx"),
    route("admin/products/:productId", "routes/admin/products/product/route.tsx"),
    route("admin/texts", "routes/admin/texts/route.tsx"),
    route("admin/texts/:key", "routes/admin/texts/text.tsx"),
    route("admin/texts/:key/preview", "routes/admin/texts/preview.ts"),
    route("admin/messages", "routes/admin/messages/route.tsx"),
    route("admin/messages/saved", "routes/admin/messages/saved.tsx"),
    route("admin/messages/:messageId", "routes/admin/messages/thread.tsx"),
    route("admin/messages/:messageId/pictures/:pictureId", "routes/admin/messages/picture.ts"),
    route("admin/emails", "routes/admin/emails/route.tsx"),
    route("admin/customers", "routes/admin/customers/route.tsx"),
    route("admin/customers/by-email", "routes/admin/customers/by-email.tsx"),
    route("admin/customers/:userId", "routes/admin/customers/customer.tsx"),
    route("admin/legal", "routes/admin/legal/route.tsx"),
    route("admin/legal/:requestId", "routes/admin/legal/request.tsx"),
    route("admin/legal/:requestId/file", "routes/admin/legal/file.ts"),
    route("admin/discounts", "routes/admin/discounts/route.tsx"),
    route("admin/waitlist", "routes/admin/waitlist/route.tsx"),
    route("admin/waitlist/export", "routes/admin/waitlist/export.ts"),
    route("admin/letters", "routes/admin/letters/route.tsx"),
    route("admin/letters/:letterId", "routes/admin/letters/letter.tsx"),
    route("admin/letters/consents", "routes/admin/letters/consents.ts"),
    route("admin/analytics", "routes/admin/analytics/route.tsx"),
    route("admin/tax", "routes/admin/tax/route.tsx"),
    route("admin/tax/export", "routes/admin/tax/export.ts"),
    route("admin/settings", "routes/admin/settings/route.tsx"),
    route("admin/search", "routes/admin/search/route.tsx"),
    route("admin/staff", "routes/admin/staff/route.tsx", [route(":staffId", "routes/admin/staff/member.tsx")]),
    route("admin/audit", "routes/admin/audit/route.tsx"),
    route("admin/go-live", "routes/admin/go-live/route.tsx"),
    route("admin/sign-out", "routes/admin/sign-out.ts"),
    // Staff get the 404 inside the layout.
    route("admin/*", "routes/not-found.tsx", { id: "admin/not-found" }),
  ]),
  route("discount/:code", "routes/storefront/cart/discount-link.ts"),
  route("checkout/tax.json", "routes/storefront/checkout/tax-json.ts"),
  route("search.json", "routes/storefront/search/results-json.ts"),
  route("orders/:orderId/photos/:photoId", "routes/orders/returns/photo.ts"),
  route("payments/return", "routes/storefront/payments/return.ts"),
  route("account/download", "routes/account/download.ts"),
  route("waitlist/early", "routes/storefront/waitlist/early.ts"),
  route("auth/sign-out", "routes/account/auth/sign-out.ts"),
  route("api/auth/*", "routes/account/api/auth.ts"),
  route("api/me", "routes/account/api/me.ts"),
  route("mailbox.json", "routes/mailbox/mailbox-json.ts"),
] satisfies RouteConfig;
