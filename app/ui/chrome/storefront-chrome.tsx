/** What stands around every page that a shopper sees: header, footer, and what is known of the visitor. */
import type { ReactNode } from "react";
import { staticPart } from "../content/static.tsx";
import { Header } from "./header.tsx";
import { Links } from "./links.tsx";
import { VisitorStateProvider } from "./visitor-state.tsx";

const Footer = staticPart(() => import("./footer.tsx"), {
  as: "footer",
  className: "further-down",
});

export function StorefrontChrome({ children }: { children: ReactNode }) {
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
      <Links />
    </VisitorStateProvider>
  );
}
