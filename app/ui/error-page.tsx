import { useEffect } from "react";
import { Link, useLocation } from "react-router";
import { NotFound } from "./not-found.tsx";

const RETRY_MS = 3_000;

/** The face of a failure: says so plainly, tries again by itself once the shop is ready. */
export function ErrorPage({ notFound }: { notFound: boolean }) {
  if (!notFound) return <Failure />;
  return (
    <>
      <title>Page not found | Polara</title>
      <meta name="robots" content="noindex" />
      <NotFound />
    </>
  );
}

function Failure() {
  const { pathname, search } = useLocation();

  useEffect(() => {
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
  }, []);

  return (
    <section className="page section grid min-h-[60vh] place-content-center justify-items-center gap-5 text-center">
      <title>Something went wrong | Polara</title>
      <h1 className="heading">Something went wrong</h1>
      <p className="max-w-md text-ink-soft">
        The page could not be shown. Nothing you entered or ordered before is lost.
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <a href={pathname + search} className="button button-primary">
          Try again
        </a>
        <Link to="/" className="button button-quiet">
          Return to Home
        </Link>
      </div>
    </section>
  );
}
