/**
 * Frame of every storefront page: header, footer and visitor state. Suspense boundaries hydrate by themselves, so an early
 * press waits for its own part only.
 */
import { Suspense, type ReactNode } from "react";
import { useLocation, Link } from "react-router";
import { CheckoutFooter, CheckoutHeader } from "./checkout-chrome.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { useOfflineGuard } from "./offline.ts";
import { VisitorStateProvider } from "./visitor-state.tsx";
import { notices } from "#shop/content/notice.ts";

export function StorefrontChrome({ children }: { children: ReactNode }) {
  const isCheckout = useLocation().pathname === "/checkout";
  useOfflineGuard();
  return (
    <VisitorStateProvider>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-full bg-ink px-5 py-3 font-semibold text-paper focus:translate-y-0"
      >
        Skip to content
      </a>
      <NoticeBar />
      {isCheckout ? <CheckoutHeader /> : <Header />}
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        <Suspense>{children}</Suspense>
      </main>
      <Suspense>{isCheckout ? <CheckoutFooter /> : <Footer />}</Suspense>
    </VisitorStateProvider>
  );
}

/** Notices above the header, part of the document, so that nothing moves when scripts begin. */
function NoticeBar() {
  const shown = notices();
  if (shown.length === 0) return null;
  return (
    <aside aria-label="Notices" className="no-print bg-leaf-light">
      {shown.map(({ text, to, label }) => (
        <p key={text} className="page flex flex-wrap items-center justify-center gap-x-4 py-1 text-center text-[15px]">
          <span className="py-1.5 font-medium">{text}</span>
          {to && label && (
            <Link to={to} reloadDocument className="text-link inline-flex min-h-9 items-center pointer-coarse:min-h-11">
              {label}
            </Link>
          )}
        </p>
      ))}
    </aside>
  );
}
