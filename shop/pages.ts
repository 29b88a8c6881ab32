/**
 * The pages that are the same for everyone, each declared once. Addresses, what is kept ready and may be listed by search
 * engines, the sitemap, the search, the Markdown forms, the footer and the screens that tests look at are made from them.
 */
export type PublicPage = {
  path: string;
  /** The module that shows it, under app/routes. */
  module: string;
  /** Its text under shop/content, where the route of all plain texts shows it. */
  text?: string;
  footer?: { column: "Product" | "Company" | "Legal"; label: string };
};

const TEXT_MODULE = "content/text/route.tsx";

/** In the order a customer meets them, which is the footer's, too. */
export const PUBLIC_PAGES = [
  { path: "/", module: "storefront/home/route.tsx" },
  { path: "/shop", module: "storefront/shop/route.tsx", footer: { column: "Product", label: "Shop" } },
  { path: "/product/:slug", module: "storefront/product/route.tsx" },
  {
    path: "/how-it-works",
    module: "content/how-it-works/route.tsx",
    footer: { column: "Product", label: "How It Works" },
  },
  { path: "/science", module: "content/science/route.tsx", footer: { column: "Product", label: "Science" } },
  { path: "/about", module: "content/about/route.tsx", footer: { column: "Company", label: "About" } },
  { path: "/blog", module: "content/blog/route.tsx", footer: { column: "Company", label: "Blog" } },
  { path: "/blog/:slug", module: "content/blog/post/route.tsx" },
  { path: "/support", module: "content/support/route.tsx", footer: { column: "Company", label: "Support" } },
  { path: "/privacy", module: TEXT_MODULE, text: "legal/privacy", footer: { column: "Legal", label: "Privacy" } },
  { path: "/terms", module: TEXT_MODULE, text: "legal/terms", footer: { column: "Legal", label: "Terms" } },
  {
    path: "/warranty",
    module: TEXT_MODULE,
    text: "legal/warranty",
    footer: { column: "Legal", label: "Warranty and Returns" },
  },
] as const satisfies readonly PublicPage[];

/** Names an order to the support page, which then is its visitor's own. */
export const ORDER_PARAMETER = "order";

const pages: readonly PublicPage[] = PUBLIC_PAGES;

/** The name by which the router asks for a page's data. */
export const routeId = ({ path, module }: PublicPage): string =>
  module === TEXT_MODULE ? `routes/content${path}` : `routes/${module.replace(/\.tsx$/, "")}`;

const hasSlug = ({ path }: PublicPage) => path.includes(":slug");

/** Pages of one address, which need no slug. */
export const fixedPages: readonly PublicPage[] = pages.filter((page) => !hasSlug(page));

const fixed = new Map(fixedPages.map((page) => [page.path, page]));
const slugged = pages.filter(hasSlug).map((page) => ({ page, start: page.path.replace(":slug", "") }));
const SLUG = /^[a-z0-9-]+$/;

/** The page that an address shows; a slug is of small letters, digits and hyphens. Every request asks. */
export function publicPageAt(path: string): PublicPage | null {
  const known = fixed.get(path);
  if (known) return known;
  return slugged.find(({ start }) => path.startsWith(start) && SLUG.test(path.slice(start.length)))?.page ?? null;
}

/** Texts that one route shows alike, by their addresses. */
export const plainTexts: readonly (PublicPage & { text: string })[] = pages.filter(
  (page): page is PublicPage & { text: string } => page.text !== undefined,
);

export const isLegal = ({ text }: { text: string }): boolean => text.startsWith("legal/");

/** The footer's columns with their links, in order. */
export function footerColumns(): { title: string; links: { to: string; label: string }[] }[] {
  const columns = new Map<string, { to: string; label: string }[]>();
  for (const { path, footer } of pages) {
    if (!footer) continue;
    const links = columns.get(footer.column) ?? [];
    columns.set(footer.column, [...links, { to: path, label: footer.label }]);
  }
  return [...columns].map(([title, links]) => ({ title, links }));
}
