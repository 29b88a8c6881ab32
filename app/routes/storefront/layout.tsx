import { type ReactNode, useLayoutEffect } from "react";
import { isRouteErrorResponse, type Location, Outlet, useLocation } from "react-router";
import { usePendingLocation } from "#app/ui/chrome/page-state.ts";
import { StorefrontChrome } from "#app/ui/chrome/storefront-chrome.tsx";
import { ErrorPage } from "#app/ui/feedback/error-page.tsx";
import { FormRoutes } from "#app/ui/form/plain-form.tsx";
import { brand } from "#shop/brand.ts";
import type { Route } from "./+types/layout.ts";
import { previewing } from "./preview.server.ts";
import { ProductSkeleton } from "./product/skeleton.tsx";
import { ShopSkeleton } from "./shop/skeleton.tsx";

export const middleware: Route.MiddlewareFunction[] = [previewing];

const ACTIONS = ["/cart/add", "/wishlist/add"];

export default function StorefrontLayout() {
  const { pathname } = useLocation();
  const pending = usePendingLocation();
  const skeleton = pending && pending.pathname !== pathname && skeletonOf(pending);
  return (
    <StorefrontChrome>
      {skeleton ? <FromTop>{skeleton}</FromTop> : <Outlet />}
      <FormRoutes actions={ACTIONS} />
    </StorefrontChrome>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <StorefrontChrome>
      <ErrorPage notFound={isRouteErrorResponse(error) && error.status === 404} />
    </StorefrontChrome>
  );
}

/** Skeletons of loading pages; other pages replace the current one once loaded. */
function skeletonOf({ pathname, state }: Location) {
  if (pathname === "/shop") return <ShopSkeleton heading={`Shop ${brand.name}`} />;
  if (pathname === "/checkout") return <Loading />;
  if (pathname === "/auth") return <Spinner />;
  const [, slug] = /^\/product\/([^/]+)$/.exec(pathname) ?? [];
  const { picture } = (state ?? {}) as { picture?: string };
  return slug && <ProductSkeleton slug={slug} picture={picture} />;
}

/** Scrolls to the top for a skeleton; the router scrolls only once the page has loaded. */
function FromTop({ children }: { children: ReactNode }) {
  useLayoutEffect(() => {
    scrollTo({ top: 0, behavior: "instant" });
  }, []);
  return children;
}

export function Loading() {
  return (
    <div role="status" className="page grid min-h-[70vh] place-content-center text-lg text-ink-soft">
      Loading...
    </div>
  );
}

function Spinner() {
  return (
    <div role="status" className="page grid min-h-[70vh] place-content-center">
      <span className="size-9 animate-spin rounded-full border-3 border-line border-t-leaf motion-reduce:animate-none" />
      <span className="sr-only">Loading...</span>
    </div>
  );
}
