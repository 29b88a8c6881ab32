import { useEffect } from "react";
import { Link, useLocation } from "react-router";
import { brand } from "../../../../shop/brand.ts";
import { logMissing } from "../../../ui/feedback/error-page.tsx";

export function ProductNotFound() {
  const { pathname } = useLocation();
  useEffect(() => logMissing(pathname), [pathname]);

  return (
    <section className="page section grid min-h-[60vh] place-content-center justify-items-center gap-5 text-center">
      <title>{`Product Not Found | ${brand.name}`}</title>
      <meta name="robots" content="noindex" />
      <h1 className="heading">Product Not Found</h1>
      <p className="max-w-md text-lg text-ink-soft">Sorry, we couldn't find the product you're looking for.</p>
      <Link to="/shop" className="button button-primary mt-2">
        Return to Shop
      </Link>
    </section>
  );
}
