import { useRef } from "react";
import { Link } from "react-router";
import { specLabel, specValue } from "#shop/catalog/product.ts";
import type { ComparedModel } from "#shop/catalog/shown-product.ts";
import { X } from "lucide-react";
import { Dialog } from "#app/ui/overlay/dialog.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import { ProductPrice } from "#app/ui/product/price.tsx";

type CompareDialogProps = { pro: ComparedModel; classic: ComparedModel; onClose: () => void };

/** Comparison of Pro and Classic: each label is above its two values, to be readable on a phone. */
export function CompareDialog({ pro, classic, onClose }: CompareDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const models = [pro, classic];
  const keys = [...new Set(models.flatMap(({ specs }) => Object.keys(specs)))];
  const isSame = (key: string) => pro.specs[key] === classic.specs[key];
  keys.sort((a, b) => Number(isSame(a)) - Number(isSame(b)));

  return (
    <Dialog
      ref={dialog}
      opensOnMount
      aria-labelledby="compare-title"
      onClose={onClose}
      className="m-auto w-full max-w-none overscroll-contain bg-paper text-ink backdrop:bg-ink/50 max-sm:h-dvh max-sm:max-h-none sm:max-h-[min(88dvh,900px)] sm:w-[min(100vw-64px,860px)] sm:rounded-[20px]"
    >
      <div className="sticky top-0 z-10 flex h-18 items-center justify-between border-b border-line bg-paper px-5 sm:px-10">
        <h2 id="compare-title" className="text-xl font-semibold">
          Compare Models
        </h2>
        <button
          type="button"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
          className="icon-button -mr-2.5"
        >
          <X size={24} strokeWidth={1.75} aria-hidden />
        </button>
      </div>
      <div className="px-5 pt-6 pb-10 sm:px-10 sm:pt-10">
        <table className="w-full table-fixed border-separate border-spacing-0 text-left">
          <caption className="sr-only">{`${pro.name} and ${classic.name}`}</caption>
          <thead>
            <tr>
              {models.map((model) => (
                <th key={model.id} scope="col" className="px-2 align-top font-normal first:pl-0 last:pr-0 sm:px-4">
                  <Picture
                    name={model.picture ?? ""}
                    alt=""
                    sizes="(min-width: 640px) 380px, 45vw"
                    imgClassName="aspect-square w-full rounded-card object-cover sm:aspect-4/3"
                  />
                  <span className="mt-4 block text-xl font-semibold tracking-tight sm:text-2xl">{model.category}</span>
                  <span className="mt-1 block text-[15px] text-ink-soft">{model.colorVariant}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              {models.map((model) => (
                <td key={model.id} className="px-2 pt-4 align-top first:pl-0 last:pr-0 sm:px-4">
                  <ProductPrice product={model} size="card" />
                </td>
              ))}
            </tr>
            <tr>
              {models.map((model) => (
                <td key={model.id} className="px-2 pt-4 pb-8 first:pl-0 last:pr-0 sm:px-4">
                  <Link to={`/product/${model.slug}`} className="button button-primary px-5 max-sm:w-full">
                    View {model.category}
                  </Link>
                </td>
              ))}
            </tr>
          </tbody>
          {keys.map((key) => (
            <tbody key={key}>
              <tr>
                <th
                  scope="rowgroup"
                  colSpan={2}
                  className="border-t border-line pt-4 text-sm font-normal text-ink-soft"
                >
                  <span className="inline-block first-letter:uppercase">{specLabel(key)}</span>
                </th>
              </tr>
              <tr>
                {models.map(({ id, specs }) => (
                  <td key={id} className="px-2 pt-1 pb-4 align-top font-medium first:pl-0 last:pr-0 sm:px-4 sm:text-lg">
                    {specs[key] === undefined ? "–" : specValue(key, specs[key])}
                  </td>
                ))}
              </tr>
            </tbody>
          ))}
        </table>
      </div>
    </Dialog>
  );
}
