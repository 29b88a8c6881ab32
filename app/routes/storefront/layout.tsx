/** What stands around every page that a shopper sees: header, footer, and what is known of the visitor. */
import type { ReactNode } from "react";
import { isRouteErrorResponse, Outlet } from "react-router";
import { Footer } from "../../ui/chrome/footer.tsx";
import { Header } from "../../ui/chrome/header.tsx";
import { VisitorStateProvider } from "../../ui/chrome/visitor-state.tsx";
import { ErrorPage } from "../../ui/feedback/error-page.tsx";
import type { Route } from "./+types/layout.ts";

function Chrome({ children }: { children: ReactNode }) {
  return (
    <VisitorStateProvider>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-full bg-ink px-5 py-3 font-semibold text-paper focus:translate-y-0"
      >
        Skip to content
      </a>
      <Header />
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <Footer />
    </VisitorStateProvider>
  );
}

export default function StorefrontLayout() {
  return (
    <Chrome>
      <Outlet />
    </Chrome>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <Chrome>
      <ErrorPage notFound={isRouteErrorResponse(error) && error.status === 404} />
    </Chrome>
  );
}
