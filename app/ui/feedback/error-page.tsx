import { useEffect } from "react";
import { Link, useLocation } from "react-router";
import { OFFLINE, useOffline } from "#app/ui/chrome/offline.ts";
import { MessagePage } from "./message-page.tsx";

const RETRY_MS = 3_000;

export const logMissing = (pathname: string) => console.error("Page not found:", pathname);

/** Error and 404 page. An error reloads by itself once the shop is ready again. */
export function ErrorPage({ notFound }: { notFound: boolean }) {
  const { pathname, search } = useLocation();
  const isOffline = useOffline();

  useEffect(() => {
    if (notFound) return logMissing(pathname);
    let wasDown = false;
    const timer = setInterval(async () => {
      const ready = await fetch("/readyz").then(
        (r) => r.ok,
        () => false,
      );
      if (!ready) wasDown = true;
      else if (wasDown) location.reload();
    }, RETRY_MS);
    return () => clearInterval(timer);
  }, [notFound, pathname]);

  return (
    <>
      <title>{notFound ? "Page not found | Polara" : "Something went wrong | Polara"}</title>
      {notFound && <meta name="robots" content="noindex" />}
      {notFound ? (
        <MessagePage
          heading={
            <>
              <span className="text-[clamp(5rem,12vw,9rem)] leading-none text-leaf">404</span>
              <span>Oops! Page not found</span>
            </>
          }
          text="It may have moved, or never existed. The bowls are still where you left them."
          picture="lifestyle-breakfast"
        >
          <Link to="/" className="button button-primary">
            Return to Home
          </Link>
          <Link to="/shop" className="button button-quiet">
            Shop
          </Link>
          <Link to="/search" className="button button-quiet">
            Search
          </Link>
        </MessagePage>
      ) : (
        <MessagePage
          heading={isOffline ? OFFLINE.title : "Something went wrong"}
          text={`${isOffline ? OFFLINE.message : "We couldn’t show this page."} Nothing you’ve entered or ordered is lost.`}
        >
          <a href={pathname + search} className="button button-primary">
            Try again
          </a>
          <Link to="/" className="button button-quiet">
            Return to Home
          </Link>
          <Link to="/support" className="button button-quiet">
            Get help
          </Link>
        </MessagePage>
      )}
    </>
  );
}
