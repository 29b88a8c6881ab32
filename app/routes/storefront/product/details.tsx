import type { ProductContent } from "../../../../shop/catalog/product-content.ts";
import type { ProductDetails } from "../../../../shop/catalog/shown-product.ts";
import { staticPart } from "../../../ui/content/static.tsx";
import { Tabs } from "./tabs.tsx";

const Panel = staticPart(() => import("./panels.tsx"));

export function Details(shown: { product: ProductDetails; content: ProductContent }) {
  const { name } = shown.product;
  return (
    <section aria-labelledby="details" className="further-down page pt-14 lg:pt-24">
      <h2 id="details" className="sr-only">
        About the {name}
      </h2>
      <Tabs
        label={`About the ${name}`}
        tabs={[
          { id: "overview", label: "Overview", panel: <Panel show="overview" {...shown} /> },
          { id: "specs", label: "Technical Specs", panel: <Panel show="specs" {...shown} /> },
          { id: "reviews", label: "Reviews", panel: <Panel show="reviews" {...shown} /> },
          { id: "faqs", label: "FAQs", panel: <Panel show="faqs" {...shown} /> },
        ]}
      />
    </section>
  );
}
