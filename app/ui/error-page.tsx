import { useEffect } from "react";
import { Link, useLocation } from "react-router";

const RETRY_MS = 3_000;

/** The face of a failure: says so plainly, tries again by itself once the shop is ready. */
export function ErrorPage({ notFound }: { notFound: boolean }) {
  const { pathname, search } = useLocation();

  useEffect(() => {
    if (notFound) return;
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
  }, [notFound]);

  return (
    <section className="page section grid min-h-[60vh] place-content-center justify-items-center gap-5 text-center">
      <title>{notFound ? "Page not found | Polara" : "Something went wrong | Polara"}</title>
      {notFound && <p className="text-7xl font-semibold tracking-tight text-leaf">404</p>}
      <h1 className="heading">{notFound ? "Oops! Page not found" : "Something went wrong"}</h1>
      <p className="max-w-md text-ink-soft">
        {notFound
          ? "The page you asked for is not here, or not here anymore."
          : "The page could not be shown. Nothing you entered or ordered before is lost."}
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        {!notFound && (
          <a href={pathname + search} className="button button-primary">
            Try again
          </a>
        )}
        <Link to="/" className={`button ${notFound ? "button-primary" : "button-quiet"}`}>
          Return to Home
        </Link>
      </div>
    </section>
  );
}
