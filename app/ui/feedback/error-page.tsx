import { useEffect } from "react";
import { Link, useLocation } from "react-router";

const RETRY_MS = 3_000;

export const logMissing = (pathname: string) => console.error("Page not found:", pathname);

/** Error and 404 page. An error reloads by itself once the shop is ready again. */
export function ErrorPage({ notFound }: { notFound: boolean }) {
  const { pathname, search } = useLocation();

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
    <section className="page section grid min-h-[60vh] place-content-center justify-items-center gap-5 text-center">
      <title>{notFound ? "Page not found | Polara" : "Something went wrong | Polara"}</title>
      {notFound && <meta name="robots" content="noindex" />}
      <h1 className="heading grid gap-5">
        {notFound && <span className="text-[clamp(6rem,18vw,12rem)] leading-none text-leaf">404</span>}
        <span>{notFound ? "Oops! Page not found" : "Something went wrong"}</span>
      </h1>
      <p className="max-w-md text-lg text-balance text-ink-soft">
        {notFound
          ? "The page you asked for is not here, or not here anymore."
          : "The page could not be shown. Nothing you entered or ordered before is lost."}
      </p>
      <div className="flex flex-wrap justify-center gap-3 max-sm:w-full max-sm:*:grow max-sm:*:basis-[40%] max-sm:*:first:basis-full">
        {!notFound && (
          <a href={pathname + search} className="button button-primary">
            Try again
          </a>
        )}
        <Link to="/" className={`button ${notFound ? "button-primary" : "button-quiet"}`}>
          Return to Home
        </Link>
        {notFound && (
          <>
            <Link to="/shop" className="button button-quiet">
              Shop
            </Link>
            <Link to="/search" className="button button-quiet">
              Search
            </Link>
          </>
        )}
      </div>
    </section>
  );
}
