import { useEffect } from "react";
import { Link, useLocation } from "react-router";
import { Picture } from "#app/ui/product/picture.tsx";

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
    <section
      className={`page section grid min-h-[60vh] items-center gap-x-16 gap-y-10 ${notFound ? "lg:grid-cols-2" : ""}`}
    >
      <title>{notFound ? "Page not found | Polara" : "Something went wrong | Polara"}</title>
      {notFound && <meta name="robots" content="noindex" />}
      <div className={`grid gap-5 ${notFound ? "justify-items-start" : "justify-items-center text-center"}`}>
        <h1 className="heading grid gap-4">
          {notFound && <span className="text-[clamp(5rem,12vw,9rem)] leading-none text-leaf">404</span>}
          <span>{notFound ? "Oops! Page not found" : "Something went wrong"}</span>
        </h1>
        <p className="max-w-md text-lg text-ink-soft">
          {notFound
            ? "It may have moved, or never existed. The bowls are still where you left them."
            : "We couldn’t show this page. Nothing you’ve entered or ordered is lost."}
        </p>
        <div className="mt-1 flex flex-wrap gap-3 max-sm:w-full max-sm:*:grow max-sm:*:basis-[40%] max-sm:*:first:basis-full">
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
      </div>
      {notFound && (
        <Picture
          name="lifestyle-breakfast"
          alt="A Frost White bowl of blueberries and raspberries on a wooden table"
          sizes="(min-width: 1320px) 580px, (min-width: 1024px) 46vw, 92vw"
          imgClassName="aspect-4/3 w-full rounded-[20px] object-cover object-[50%_65%] lg:aspect-square"
        />
      )}
    </section>
  );
}
