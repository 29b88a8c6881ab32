import { Link } from "react-router";
import { formatMoney } from "#shop/money.ts";
import { Picture } from "#app/ui/product/picture.tsx";

type OrderLine = {
  id: string;
  name: string;
  priceCents: number;
  quantity: number;
  thumbnail: string | null;
  /** Product page; without it the name is plain text. */
  slug?: string | null;
  /** Status or shipping time. */
  note?: string | null | undefined;
};

const LOOKS = {
  open: {
    list: "grid gap-5",
    line: "grid-cols-[64px_1fr_auto] gap-4",
    sizes: "64px",
    words: "text-sm",
    each: "mt-1",
    total: "",
  },
  placed: {
    list: "divide-y divide-line",
    line: "grid-cols-[64px_1fr_auto] gap-4 py-5 sm:grid-cols-[84px_1fr_auto] sm:gap-6",
    sizes: "84px",
    words: "",
    each: "text-[15px]",
    total: "font-medium",
  },
};

type OrderLinesProps = {
  /** `placed` for past orders, with more room. */
  order: keyof typeof LOOKS;
  lines: OrderLine[];
};

export function OrderLines({ order, lines }: OrderLinesProps) {
  const look = LOOKS[order];
  return (
    <ul className={look.list}>
      {lines.map(({ id, name, slug, thumbnail, quantity, priceCents, note }) => (
        <li key={id} className={`grid items-center ${look.line}`}>
          <Picture
            name={thumbnail ?? ""}
            alt=""
            sizes={look.sizes}
            imgClassName="aspect-square w-full rounded-[10px] object-cover"
          />
          <div className={`leading-snug ${look.words}`}>
            <p className="font-medium">
              {slug ? (
                <Link to={`/product/${slug}`} className="-mt-6 inline-block pt-6 underline-offset-4 hover:underline">
                  {name}
                </Link>
              ) : (
                name
              )}
            </p>
            <p className={`text-ink-soft tabular-nums ${look.each}`}>{`${quantity} × ${formatMoney(priceCents)}`}</p>
            {note && <p className="mt-1 text-sm font-medium text-saving">{note}</p>}
          </div>
          <p className={`tabular-nums ${look.total}`}>{formatMoney(priceCents * quantity)}</p>
        </li>
      ))}
    </ul>
  );
}
