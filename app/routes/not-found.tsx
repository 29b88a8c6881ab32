import { useEffect } from "react";
import { data, Link, useLocation } from "react-router";

export const loader = () => data(null, { status: 404 });

/** Inside the app nothing needs to be asked for: there is nothing to load. */
export const clientLoader = () => null;

export const meta = () => [{ title: "Page not found | Polara" }, { name: "robots", content: "noindex" }];

export default function NotFound() {
  const { pathname } = useLocation();
  useEffect(() => console.error("Page not found:", pathname), [pathname]);

  return (
    <section className="page section grid min-h-[65vh] place-content-center justify-items-center gap-5 text-center">
      <h1 className="grid gap-5">
        <span className="text-[clamp(6rem,18vw,12rem)] leading-none font-semibold text-leaf">404</span>
        <span className="heading">Oops! Page not found</span>
      </h1>
      <p className="max-w-md text-lg text-ink-soft">The page you asked for is not here, or not here anymore.</p>
      <Link to="/" className="button button-primary mt-3">
        Return to Home
      </Link>
    </section>
  );
}
