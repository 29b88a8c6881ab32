import { Link } from "react-router";
import { formatMoney } from "#shop/money.ts";
import type { FoundProduct, Result } from "#shop/search/result.ts";
import type { Marked } from "#shop/search/words.ts";
import { Picture } from "#app/ui/product/picture.tsx";
import { usePrice } from "#app/ui/product/price.tsx";

/** Products and texts in separate groups, the best result's group first. */
export function byGroup(results: Result[]): [name: string, results: Result[]][] {
  const groups: [name: string, results: Result[]][] = [
    ["Products", results.filter(({ product }) => product)],
    ["Answers and articles", results.filter(({ product }) => !product)],
  ];
  if (!results[0]?.product) groups.reverse();
  return groups.filter(([, found]) => found.length > 0);
}

type FoundRowProps = { result: Result; size: "sheet" | "page"; priority?: boolean };

/** A single result; the caller wraps it in a link or option. */
export function FoundRow({ result, size, priority }: FoundRowProps) {
  const { title, excerpt, place, product } = result;
  const name = (
    <span className="block font-semibold tracking-[-0.01em] underline-offset-4 group-hover:underline">
      <MarkedText pieces={title} />
    </span>
  );
  if (!product) {
    return (
      <span className="block">
        {name}
        {place && <span className="block text-sm text-leaf">{place}</span>}
        <span
          className={`mt-1 text-[15px] leading-snug text-ink-soft ${size === "sheet" ? "line-clamp-2 lg:line-clamp-1" : "block"}`}
        >
          <MarkedText pieces={excerpt} />
        </span>
      </span>
    );
  }
  const isPage = size === "page";
  return (
    <span className={`grid items-center gap-4 ${isPage ? "grid-cols-[96px_1fr]" : "grid-cols-[64px_1fr]"}`}>
      <Picture
        name={product.thumbnail ?? ""}
        alt=""
        sizes={isPage ? "96px" : "64px"}
        priority={priority}
        className="block overflow-hidden rounded-[10px]"
        imgClassName={`aspect-square w-full object-cover ${product.inStock ? "" : "opacity-55 grayscale-40"}`}
      />
      <span className="block">
        {name}
        <FoundPrice product={product} />
        {isPage && (
          <span className="mt-1 block text-[15px] leading-snug text-ink-soft max-sm:hidden">
            <MarkedText pieces={excerpt} />
          </span>
        )}
      </span>
    </span>
  );
}

function FoundPrice({ product }: { product: FoundProduct }) {
  const { priceCents, compareAtCents } = usePrice(product);
  return (
    <span className="mt-0.5 flex flex-wrap items-baseline gap-x-2.5 text-[15px] tabular-nums">
      <span>{formatMoney(priceCents)}</span>
      {compareAtCents !== null && (
        <>
          <span className="sr-only">instead of</span>
          <s className="text-sm text-ink-soft">{formatMoney(compareAtCents)}</s>
        </>
      )}
      {product.note && <span className="text-sm text-ink-soft">{product.note}</span>}
    </span>
  );
}

function MarkedText({ pieces }: { pieces: Marked }) {
  return pieces.map(({ text, hit }, i) =>
    hit ? (
      <mark key={i} className="rounded-[3px] bg-leaf-light text-inherit">
        {text}
      </mark>
    ) : (
      <span key={i}>{text}</span>
    ),
  );
}

const ways = [
  { to: "/shop?category=Pro", label: "Polara Pro" },
  { to: "/shop?category=Accessories", label: "Filters and accessories" },
  { to: "/how-it-works", label: "How it works" },
  { to: "/support#faq", label: "Questions and answers" },
  { to: "/warranty#return-policy", label: "Returns" },
  { to: "/terms#shipping", label: "Shipping" },
];

/** Suggested links for an empty search box or no results. */
export function WaysOn({ className }: { className: string }) {
  return (
    <nav aria-label="Popular searches" className={className}>
      <p aria-hidden="true" className="text-sm font-semibold">
        Popular searches
      </p>
      <ul className="mt-3 flex flex-wrap gap-2">
        {ways.map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              className="inline-flex min-h-11 items-center rounded-full border border-line bg-card px-5 font-medium transition-colors duration-150 hover:border-ink"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
