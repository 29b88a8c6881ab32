import { Link } from "react-router";
import { specLabel, specList, specValue } from "#shop/catalog/product.ts";
import { pairOf } from "#shop/catalog/scenes.ts";
import type { ComparedModel } from "#shop/catalog/shown-product.ts";
import { Picture } from "./picture.tsx";
import { ProductPrice } from "./price.tsx";

type ComparisonProps = {
  models: [ComparedModel, ComparedModel];
  /** The model whose page this is, which needs no link. */
  current?: string;
};

/** A label with its two values: beside it, or below it on a phone. */
const row = "max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-4";
const label = "align-top font-normal text-ink-soft first-letter:uppercase max-sm:col-span-2 sm:w-1/4";
const cell = "align-top sm:pl-6";

/** Two models side by side: first what differs, then what does not. */
export function Comparison({ models, current }: ComparisonProps) {
  const [one, other] = models;
  const keys = specList({ ...one.specs, ...other.specs }).map(([key]) => key);
  const isSame = (key: string) => one.specs[key] === other.specs[key];
  const same = keys.filter(isSame);
  const pair = pairOf(one.colorVariant, other.colorVariant);

  return (
    <>
      <Picture
        name={pair.picture}
        alt={pair.alt}
        sizes="(min-width: 1320px) 918px, (min-width: 640px) 70vw, 92vw"
        className="block sm:ml-[25%] sm:pl-6"
        imgClassName="aspect-3/2 w-full rounded-card object-cover sm:aspect-2/1 sm:object-[50%_45%]"
      />
      <table className="w-full table-fixed border-collapse text-left max-sm:block max-sm:*:block">
        <caption className="sr-only">{models.map(({ name }) => name).join(" and ")}</caption>
        <thead>
          <tr className={row}>
            <th scope="row" className="w-1/4 max-sm:hidden">
              <span className="sr-only">Model</span>
            </th>
            {models.map((model) => (
              <th key={model.id} scope="col" className={`font-normal ${cell}`}>
                <span className="mt-4 block text-xl font-semibold tracking-tight sm:text-2xl">{model.category}</span>
                <span className="mt-1 block text-[15px] text-ink-soft">{model.colorVariant}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className={row}>
            <th scope="row" className={`pt-3 max-sm:sr-only ${label}`}>
              Price
            </th>
            {models.map((model) => (
              <td key={model.id} className={`pt-3 ${cell}`}>
                <ProductPrice product={model} size="card" />
              </td>
            ))}
          </tr>
          <tr className={row}>
            <th scope="row" className={`pt-3 max-sm:sr-only ${label}`}>
              Availability
            </th>
            {models.map((model) => (
              <td key={model.id} className={`pt-3 pb-8 ${cell}`}>
                <p>{model.stockMessage}</p>
                {model.slug === current ? (
                  <span className="mt-4 flex min-h-12 items-center text-ink-soft">You’re looking at it</span>
                ) : (
                  <Link
                    to={`/product/${model.slug}`}
                    className={`button ${model.isInStock ? "button-primary" : "button-quiet"} mt-4 px-5 max-sm:w-full`}
                  >
                    {`Choose ${model.category}`}
                  </Link>
                )}
              </td>
            ))}
          </tr>
        </tbody>
        <tbody>
          <tr className="border-t border-ink/20 max-sm:block">
            <th scope="rowgroup" colSpan={3} className="pt-5 pb-3 text-lg font-semibold max-sm:block">
              What’s different
            </th>
          </tr>
          {keys
            .filter((key) => !isSame(key))
            .map((key) => (
              <tr key={key} className={`border-t border-line ${row} max-sm:py-3`}>
                <th scope="row" className={`max-sm:text-sm sm:py-3.5 ${label}`}>
                  {specLabel(key)}
                </th>
                {models.map(({ id, specs }) => (
                  <td key={id} className={`font-semibold sm:py-3.5 sm:text-lg ${cell}`}>
                    {specs[key] === undefined ? "–" : specValue(key, specs[key])}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
        {same.length > 0 && (
          <tbody>
            <tr className="border-t border-ink/20 max-sm:block">
              <th scope="row" className="pt-5 align-top text-lg font-semibold max-sm:block max-sm:pb-3">
                Same on both
              </th>
              <td colSpan={2} className="sm:pt-5 sm:pl-6 max-sm:block">
                <ul className="gap-x-6 text-[15px] text-ink-soft sm:columns-2">
                  {same.map((key) => (
                    <li key={key} className="break-inside-avoid pb-1.5 first-letter:uppercase">
                      {`${specLabel(key)}: ${specValue(key, one.specs[key] ?? "")}`}
                    </li>
                  ))}
                </ul>
              </td>
            </tr>
          </tbody>
        )}
      </table>
    </>
  );
}
