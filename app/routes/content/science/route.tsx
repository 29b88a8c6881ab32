import { data } from "react-router";
import { Link } from "#app/ui/chrome/link.tsx";
import { db } from "#platform/database.server.ts";
import { listColors } from "#shop/catalog/catalog.server.ts";
import { cardOf, type ProductCard } from "#shop/catalog/shown-product.ts";
import { pages } from "#shop/content/texts.server.ts";
import { textPage } from "#app/http/rendered-text.server.tsx";
import { earliestEnd, publicCache } from "#platform/cache-headers.ts";
import { Picture } from "#app/ui/product/picture.tsx";
import { ProductPrice } from "#app/ui/product/price.tsx";
import { Prose } from "#app/ui/content/prose.tsx";
import type { Route } from "./+types/route.ts";

export { publicHeaders as headers } from "#platform/cache-headers.ts";
export { textMeta as meta } from "#app/http/page-meta.ts";

const HUMIDITY = "<h2>Humidity";

export async function loader() {
  const featured = await listColors(db, "Pro", true);
  const [pro] = featured;
  const { html, ...text } = textPage("/science", pages().science).data;
  // The product is shown between the two halves.
  const half = html.indexOf(HUMIDITY);
  return data(
    { ...text, halves: [html.slice(0, half), html.slice(half)], pro: pro ? cardOf(pro) : null },
    { headers: publicCache(earliestEnd(featured)) },
  );
}

export default function Science({ loaderData: { title, heading, intro, cards, halves, pro } }: Route.ComponentProps) {
  const [first = "", second = ""] = halves;
  return (
    <>
      <header className="page grid items-center gap-x-16 gap-y-10 pt-12 lg:grid-cols-[1.1fr_1fr] lg:pt-16">
        <Picture
          name="pro-earth-green-exploded"
          alt="An Earth Green bowl cut in half between its filter and lid above and its cooling module, heat sink, fan, and base below"
          sizes="(min-width: 1320px) 560px, (min-width: 1024px) 44vw, 92vw"
          priority
          className="order-last lg:col-start-2 lg:row-start-1"
          imgClassName="aspect-square w-full rounded-card object-cover lg:aspect-5/4"
        />
        <div>
          <p className="mb-4 font-semibold text-leaf">{title}</p>
          <h1 className="display">{heading}</h1>
          <p className="mt-6 max-w-[34em] text-lg text-ink-soft lg:text-xl">{intro}</p>
        </div>
      </header>
      <ul className="page mt-10 grid gap-x-6 gap-y-10 md:grid-cols-3 lg:mt-16">
        {cards.map((card) => (
          <li key={card.title} className="border-t border-ink/20 pt-5">
            <h2 className="text-xl font-semibold lg:text-2xl">{card.title}</h2>
            <p className="mt-3 text-[clamp(2.5rem,4vw,3.75rem)] leading-none font-medium tracking-[-0.035em] whitespace-nowrap text-leaf">
              {card.figure}
            </p>
            <p className="mt-4 max-w-[30em] leading-relaxed text-ink-soft">{card.text}</p>
          </li>
        ))}
      </ul>
      <article>
        <div className="page section">
          <Prose html={first} className="mx-auto max-w-[44rem]" />
        </div>
        {pro && <Offer pro={pro} />}
        <div className="page section">
          <Prose html={second} className="mx-auto max-w-[44rem]" />
        </div>
      </article>
    </>
  );
}

function Offer({ pro }: { pro: ProductCard }) {
  return (
    <aside aria-label={pro.name} className="no-print bg-leaf-light">
      <div className="page grid items-center gap-x-16 gap-y-8 py-12 sm:grid-cols-2 lg:py-16">
        <Picture
          name={pro.pictures[0] ?? ""}
          alt=""
          sizes="(min-width: 1320px) 580px, (min-width: 640px) 44vw, 92vw"
          imgClassName="aspect-4/3 w-full rounded-card object-cover"
        />
        <div className="grid justify-items-start gap-5">
          <p className="heading leading-tight text-balance">Cold, clean air for what you bought.</p>
          <div>
            <p className="mb-1 font-medium">{pro.name}</p>
            <ProductPrice product={pro} size="card" />
          </div>
          <Link prefetch="intent" to={`/product/${pro.slug}`} className="button button-primary">
            See the Pro
          </Link>
        </div>
      </div>
    </aside>
  );
}
