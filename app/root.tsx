import { use, type ReactNode } from "react";
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import fontUrl from "./fonts/instrument-sans.woff2?url";
import type { Route } from "./+types/root.ts";
import { baseUrl } from "./base-url.ts";
import { Nonce } from "./http/nonce.ts";
import { useEarlyPresses } from "./ui/chrome/early-presses.ts";
import { Stylesheets } from "./ui/chrome/stylesheets.tsx";
import { ErrorPage } from "./ui/feedback/error-page.tsx";

export const links: Route.LinksFunction = () => [
  { rel: "preload", href: fontUrl, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

/** Only where no picture can come in between and nobody is in a field already: what they type would be lost. */
const IF_UNSEEN =
  'if(document.createElement("link").relList.supports("expect")&&document.activeElement===document.body)';
const main = (isHidden: boolean) => `for(const part of document.getElementsByTagName("main"))part.hidden=${isHidden};`;
const STYLE = "getComputedStyle(document.body).color";
/**
 * What comes before the first picture, in parts: for a slow phone to read the rules of the styles and to style what stands
 * around a page is as much as one task may be, and so is to style the page itself, and to lay out both. Between two scripts
 * the browser may do something else.
 */
const BEFORE_FIRST_PICTURE = [IF_UNSEEN + main(true) + STYLE, main(false) + STYLE, "document.body.offsetHeight"];

export function Layout({ children }: { children: ReactNode }) {
  useEarlyPresses();
  const nonce = use(Nonce);
  return (
    <html lang="en-US" data-base-url={baseUrl()} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#f6f4ef" />
        <Meta />
        <Stylesheets />
        <Links />
      </head>
      <body className="flex flex-col font-sans">
        {children}
        {BEFORE_FIRST_PICTURE.map((step) => (
          <script key={step} nonce={nonce} suppressHydrationWarning>
            {step}
          </script>
        ))}
        {/* The first picture waits for it (entry.server.tsx). */}
        <span id="end" hidden />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

/** For what fails before any layout is there. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <main>
      <ErrorPage notFound={isRouteErrorResponse(error) && error.status === 404} />
    </main>
  );
}
