/**
 * Public pages, each declared once. Routes, page cache, sitemap, search, Markdown, footer and the screens of the tests
 * derive from this list.
 */
type PublicPage = {
  path: string;
  /** Route module under app/routes. */
  module: string;
  /** Text under shop/content, for the shared text route. */
  text?: string;
  footer?: { column: "Product" | "Company" | "Legal"; label: string };
};

const TEXT_MODULE = "content/text/route.tsx";

/** In the order of the footer. */
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

/** Order parameter of the support page, which makes that page personal. */
export const ORDER_PARAMETER = "order";

const pages: readonly PublicPage[] = PUBLIC_PAGES;

/** Address suffix of the router's data requests. */
export const routeId = ({ path, module }: PublicPage): string =>
  module === TEXT_MODULE ? `routes/content${path}` : `routes/${module.replace(/\.tsx$/, "")}`;

const hasSlug = ({ path }: PublicPage) => path.includes(":slug");

/** Pages without a slug. */
export const fixedPages: readonly PublicPage[] = pages.filter((page) => !hasSlug(page));

const fixed = new Map(fixedPages.map((page) => [page.path, page]));
const slugged = pages.filter(hasSlug).map((page) => ({ page, start: page.path.replace(":slug", "") }));
const SLUG = /^[a-z0-9-]+$/;

/** The page of an address. A slug has small letters, digits and hyphens. */
export function publicPageAt(path: string): PublicPage | null {
  const known = fixed.get(path);
  if (known) return known;
  return slugged.find(({ start }) => path.startsWith(start) && SLUG.test(path.slice(start.length)))?.page ?? null;
}

/** Texts of the shared text route, by address. */
export const plainTexts: readonly (PublicPage & { text: string })[] = pages.filter(
  (page): page is PublicPage & { text: string } => page.text !== undefined,
);

export const isLegal = ({ text }: { text: string }): boolean => text.startsWith("legal/");

export function footerColumns(): { title: string; links: { to: string; label: string }[] }[] {
  const columns = new Map<string, { to: string; label: string }[]>();
  for (const { path, footer } of pages) {
    if (!footer) continue;
    const links = columns.get(footer.column) ?? [];
    columns.set(footer.column, [...links, { to: path, label: footer.label }]);
  }
  return [...columns].map(([title, links]) => ({ title, links }));
}
