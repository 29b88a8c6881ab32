import type { ReactNode } from "react";
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import fontUrl from "@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url";
import type { Route } from "./+types/root.ts";
import { baseUrl } from "./http/base-url.ts";
import { ErrorPage } from "./ui/feedback/error-page.tsx";
import { Footer } from "./ui/chrome/footer.tsx";
import { Header } from "./ui/chrome/header.tsx";
import { PersonalProvider } from "./ui/chrome/visitor-state.tsx";
import stylesUrl from "./styles.css?url";

export const links: Route.LinksFunction = () => [
  { rel: "preload", href: fontUrl, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en-US" data-base-url={baseUrl()}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#f6f4ef" />
        <Meta />
        {/* Its precedence puts it before the scripts. */}
        <link rel="stylesheet" href={stylesUrl} precedence="default" />
        <Links />
      </head>
      <body className="flex flex-col font-sans">
        <a
          href="#main"
          className="fixed top-2 left-2 z-50 -translate-y-20 rounded-full bg-ink px-5 py-3 font-semibold text-paper focus:translate-y-0"
        >
          Skip to content
        </a>
        <PersonalProvider>
          <Header />
          <main id="main" tabIndex={-1} className="flex-1 outline-none">
            {children}
          </main>
          <Footer />
        </PersonalProvider>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage notFound={isRouteErrorResponse(error) && error.status === 404} />;
}
