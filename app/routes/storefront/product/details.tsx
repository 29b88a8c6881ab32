import { specGroups } from "#shop/catalog/product.ts";
import type { Faq } from "#shop/catalog/product-faqs.ts";
import type { ProductContent, Review } from "#shop/catalog/product-content.ts";
import type { ProductDetails } from "#shop/catalog/shown-product.ts";
import { formatNumber } from "#shop/money.ts";
import { Stars } from "#app/ui/product/stars.tsx";
import { Tabs } from "./tabs.tsx";

type DetailsProps = {
  product: ProductDetails;
  content: ProductContent;
  faqs: readonly Faq[];
  costToRun?: string | null;
};

export function Details({ product, content, faqs, costToRun = null }: DetailsProps) {
  const { rating, reviews } = content;
  return (
    <section aria-labelledby="details" className="page pt-14 lg:pt-24">
      <h2 id="details" className="sr-only">
        {`About the ${product.name}`}
      </h2>
      <Tabs
        label={`About the ${product.name}`}
        tabs={[
          { id: "overview", label: "Overview", panel: <Overview text={product.description} costToRun={costToRun} /> },
          { id: "specs", label: "Technical Specs", panel: <Specs product={product} /> },
          ...(reviews
            ? [{ id: "reviews", label: "Reviews", panel: <Reviews rating={rating} reviews={reviews} /> }]
            : []),
          ...(faqs.length > 0 ? [{ id: "faqs", label: "FAQs", panel: <Faqs faqs={faqs} /> }] : []),
        ]}
      />
    </section>
  );
}

function Overview({ text, costToRun }: { text: string; costToRun: string | null }) {
  return (
    <div className="max-w-[44em] text-xl leading-relaxed lg:text-2xl lg:leading-normal">
      <p>{text}</p>
      {costToRun && <p className="mt-6 text-lg leading-relaxed text-ink-soft">{costToRun}</p>}
    </div>
  );
}

function Specs({ product }: { product: ProductDetails }) {
  const groups = specGroups(product.specs);
  if (groups.length === 0) return <p className="text-ink-soft">No specifications for this product.</p>;
  return (
    <div className="gap-16 lg:columns-2">
      {groups.map(({ title, rows }) => (
        <table key={title} className="mb-12 w-full break-inside-avoid text-left">
          <caption className="pb-3 text-left text-lg font-semibold">{title}</caption>
          <tbody>
            {rows.map(([label, value]) => (
              <tr key={label} className="border-t border-line">
                <th
                  scope="row"
                  className="w-2/5 py-3.5 pr-4 align-top font-normal text-ink-soft first-letter:uppercase"
                >
                  {label}
                </th>
                <td className="py-3.5 font-medium tabular-nums">{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}

function Reviews({ rating, reviews }: Pick<ProductContent, "rating"> & { reviews: Review[] }) {
  if (!rating) return <p className="text-ink-soft">No reviews yet.</p>;
  return (
    <div className="grid gap-10 lg:grid-cols-[240px_minmax(0,1fr)] lg:gap-16">
      <div className="self-start lg:sticky lg:top-36">
        <p className="text-7xl leading-none font-semibold tracking-[-0.04em] tabular-nums">{rating.average}</p>
        <div className="mt-4">
          <Stars rating={rating.average} />
        </div>
        <p className="mt-2 text-ink-soft">{`${formatNumber(rating.count)} sample reviews`}</p>
      </div>
      <div>
        <p className="mb-6 text-ink-soft">Ratings and reviews are samples until we have real ones from customers.</p>
        <ul className="grid gap-x-12 gap-y-10 md:grid-cols-2">
          {reviews.map(({ rating: stars, title, text, name, place, date }) => (
            <li key={name} className="border-t border-line pt-6">
              <article>
                <Stars rating={stars} />
                <h4 className="mt-3 text-lg font-semibold tracking-[-0.01em]">{title}</h4>
                <p className="mt-2 leading-relaxed">{text}</p>
                <p className="mt-3 text-[15px] text-ink-soft">{`${name}, ${place} · ${date}`}</p>
              </article>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function Faqs({ faqs }: Pick<DetailsProps, "faqs">) {
  return (
    <div className="max-w-3xl">
      {faqs.map(({ question, answer }, index) => (
        <details key={question} open={index === 0} className="group border-b border-line">
          <summary className="flex min-h-16 list-none items-center justify-between gap-6 py-4 text-lg font-medium [&::-webkit-details-marker]:hidden">
            <span>{question}</span>
            <span
              aria-hidden="true"
              className="text-2xl font-normal transition-transform duration-200 group-open:rotate-45"
            >
              +
            </span>
          </summary>
          <p className="max-w-[65ch] pb-6 leading-relaxed text-ink-soft">{answer}</p>
        </details>
      ))}
    </div>
  );
}
