import { useEffect } from "react";
import { Link, useLocation } from "react-router";

/** Tells whoever looks into the console what was asked for and is not here. */
export function useMissingPath(): void {
  const { pathname } = useLocation();
  useEffect(() => console.error("Page not found:", pathname), [pathname]);
}

export function NotFound() {
  useMissingPath();
  return (
    <section className="page section grid min-h-[65vh] place-content-center justify-items-center gap-5 text-center">
      <h1 className="grid gap-5">
        <span className="text-[clamp(6rem,18vw,12rem)] leading-none font-semibold text-leaf">404</span>
        <span className="heading">Oops! Page not found</span>
      </h1>
      <p className="max-w-md text-lg text-balance text-ink-soft">
        The page you asked for is not here, or not here anymore.
      </p>
      <div className="mt-3 flex flex-wrap justify-center gap-3">
        <Link to="/" className="button button-primary">
          Return to Home
        </Link>
        <Link to="/shop" className="button button-quiet">
          Shop
        </Link>
        <Link to="/search" className="button button-quiet">
          Search
        </Link>
      </div>
    </section>
  );
}
