import { Link } from "react-router";
import { specLabel, specList, specValue } from "#shop/catalog/product.ts";
import type { ComparedModel } from "#shop/catalog/shown-product.ts";
import { cropOf, Picture } from "./picture.tsx";
import { PriceLine } from "./price.tsx";

type ComparisonProps = {
  models: [ComparedModel, ComparedModel];
  /** The model whose page this is, which needs no link. */
  current?: string;
};

const cell = "px-2 align-top first:pl-0 last:pr-0 sm:px-4";

/** Two models side by side: first what differs. Each label is above its two values, to be readable on a phone. */
export function Comparison({ models, current }: ComparisonProps) {
  const [one, other] = models;
  const keys = specList({ ...one.specs, ...other.specs }).map(([key]) => key);
  const isSame = (key: string) => one.specs[key] === other.specs[key];
  const same = keys.filter(isSame);

  return (
    <table className="w-full table-fixed border-separate border-spacing-0 text-left">
      <caption className="sr-only">{models.map(({ name }) => name).join(" and ")}</caption>
      <thead>
        <tr>
          {models.map((model) => (
            <th key={model.id} scope="col" className={`font-normal ${cell}`}>
              <span className="block overflow-hidden rounded-card">
                <Picture
                  name={model.picture ?? ""}
                  alt=""
                  sizes="(min-width: 1024px) 560px, 45vw"
                  imgClassName={`aspect-square w-full object-cover sm:aspect-4/3 ${cropOf(model.picture ?? "")}`}
                />
              </span>
              <span className="mt-4 block text-xl font-semibold tracking-tight sm:text-2xl">{model.category}</span>
              <span className="mt-1 block text-[15px] text-ink-soft">{model.colorVariant}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          {models.map((model) => (
            <td key={model.id} className={`pt-3 ${cell}`}>
              <PriceLine product={model} size="card" />
              <p className="mt-1 text-sm text-ink-soft">{model.stockMessage}</p>
            </td>
          ))}
        </tr>
        <tr>
          {models.map((model) => (
            <td key={model.id} className={`pt-4 pb-8 ${cell}`}>
              {model.slug === current ? (
                <span className="inline-flex min-h-12 items-center text-ink-soft">You’re looking at it</span>
              ) : (
                <Link to={`/product/${model.slug}`} className="button button-primary px-5 max-sm:w-full">
                  Choose {model.category}
                </Link>
              )}
            </td>
          ))}
        </tr>
      </tbody>
      <tbody>
        <Heading>What’s different</Heading>
        {keys
          .filter((key) => !isSame(key))
          .map((key) => (
            <tr key={key}>
              {models.map(({ id, specs }) => (
                <td key={id} className={`border-t border-line py-3 font-semibold sm:text-lg ${cell}`}>
                  <span className="block text-sm font-normal text-ink-soft first-letter:uppercase">
                    {specLabel(key)}
                  </span>
                  {specs[key] === undefined ? "–" : specValue(key, specs[key])}
                </td>
              ))}
            </tr>
          ))}
      </tbody>
      {same.length > 0 && (
        <tbody>
          <Heading>The same in both</Heading>
          <tr>
            <td colSpan={2}>
              <ul className="grid gap-x-8 gap-y-1.5 text-[15px] text-ink-soft sm:grid-cols-2">
                {same.map((key) => (
                  <li key={key} className="first-letter:uppercase">
                    {specLabel(key)}: {specValue(key, one.specs[key] ?? "")}
                  </li>
                ))}
              </ul>
            </td>
          </tr>
        </tbody>
      )}
    </table>
  );
}

function Heading({ children }: { children: string }) {
  return (
    <tr>
      <th scope="rowgroup" colSpan={2} className="border-t border-ink/20 pt-5 pb-3 text-lg font-semibold">
        {children}
      </th>
    </tr>
  );
}
