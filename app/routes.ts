/** The site map, in the order a customer meets the pages. */
import { index, route, type RouteConfig } from "@react-router/dev/routes";

export default [
  index("routes/home/route.tsx"),
  route("shop", "routes/shop/route.tsx"),
  route("product/:slug", "routes/product/route.tsx"),
  route("cart", "routes/cart/route.tsx"),
  route("cart/add", "routes/cart/add.ts"),
  route("cart/update", "routes/cart/update.ts"),
  route("cart/remove", "routes/cart/remove.ts"),
  route("cart/clear", "routes/cart/clear.ts"),
  route("checkout", "routes/checkout/route.tsx"),
  route("personal", "routes/personal.ts"),
  route("how-it-works", "routes/how-it-works/route.tsx"),
  route("science", "routes/science/route.tsx"),
  route("about", "routes/about/route.tsx"),
  route("blog", "routes/blog/route.tsx"),
  route("blog/:slug", "routes/blog/post/route.tsx"),
  route("support", "routes/support/route.tsx"),
  route("privacy", "routes/privacy/route.tsx"),
  route("terms", "routes/terms/route.tsx"),
  route("warranty", "routes/warranty/route.tsx"),
  route("mailbox", "routes/mailbox.tsx"),
  route("mailbox.json", "routes/mailbox-json.ts"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
