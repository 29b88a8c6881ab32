/** The layout of every page that a shopper sees. */
import { isRouteErrorResponse, Outlet } from "react-router";
import { StorefrontChrome } from "../../ui/chrome/storefront-chrome.tsx";
import { ErrorPage } from "../../ui/feedback/error-page.tsx";
import type { Route } from "./+types/layout.ts";
import { PagesAhead } from "./pages-ahead.tsx";

export default function StorefrontLayout() {
  return (
    <StorefrontChrome>
      <Outlet />
      <PagesAhead />
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
