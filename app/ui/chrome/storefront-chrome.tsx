/**
 * Frame of every storefront page: header, footer and visitor state. Suspense boundaries hydrate by themselves, so an early
 * press waits for its own part only.
 */
import { Suspense, type ReactNode } from "react";
import { useLocation } from "react-router";
import { CheckoutFooter, CheckoutHeader } from "./checkout-chrome.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { NoticeBar } from "./notice-bar.tsx";
import { useOfflineGuard } from "./offline.ts";
import { VisitorStateProvider } from "./visitor-state.tsx";

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
