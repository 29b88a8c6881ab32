import type { ReactNode } from "react";
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import fontUrl from "./fonts/instrument-sans.woff2?url";
import type { Route } from "./+types/root.ts";
import { baseUrl } from "#platform/base-url.ts";
import { clock } from "#shop/clock.ts";
import { socialAttribute } from "#shop/social-links.ts";
import { notices } from "#shop/content/notice.ts";
import { ErrorPage } from "./ui/feedback/error-page.tsx";
import stylesUrl from "./styles.css?url";

export const links: Route.LinksFunction = () => [
  { rel: "stylesheet", href: stylesUrl },
  { rel: "preload", href: fontUrl, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html
      lang="en-US"
      data-base-url={baseUrl()}
      data-social={socialAttribute()}
      data-clock-offset={clock.offsetMs() || undefined}
      data-notices={JSON.stringify(notices())}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#f6f4ef" />
        <Meta />
        <Links />
      </head>
      <body className="flex flex-col font-sans">
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

/** Error boundary for failures outside any layout. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <main>
      <ErrorPage notFound={isRouteErrorResponse(error) && error.status === 404} />
    </main>
  );
}
