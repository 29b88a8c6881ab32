import { cropOf, Picture } from "#app/ui/product/picture.tsx";

export const MAIN_SIZES = "(min-width: 1320px) 690px, (min-width: 1024px) 54vw, 100vw";

/** Skeleton of the product page. `picture` is known if a card was pressed. */
export function ProductSkeleton({ slug, picture }: { slug: string; picture?: string }) {
  const bar = "rounded-full bg-photo animate-pulse";
  return (
    <div className="page pt-2 lg:pt-6">
      <p role="status" className="sr-only">
        Loading product
      </p>
      <div aria-hidden="true" data-skeleton>
        <div className="flex h-11 items-center">
          <div className={`h-4 w-56 ${bar}`} />
        </div>
        <div className="mt-1 grid gap-8 lg:mt-5 lg:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)] lg:gap-14 xl:gap-20">
          <div
            className="aspect-square overflow-hidden bg-photo max-lg:-mx-[clamp(20px,4vw,48px)] lg:rounded-card"
            style={{ viewTransitionName: `picture-${slug}` }}
          >
            {picture && (
              <Picture
                name={picture}
                alt=""
                sizes={MAIN_SIZES}
                imgClassName={`size-full object-cover ${cropOf(picture)}`}
              />
            )}
          </div>
          <div className="grid content-start gap-5">
            <div className={`h-10 w-4/5 ${bar}`} />
            <div className={`h-5 w-2/5 ${bar}`} />
            <div className={`h-5 w-full ${bar}`} />
            <div className={`mt-4 h-10 w-1/2 ${bar}`} />
            <div className={`mt-4 h-11 w-36 ${bar}`} />
            <div className={`h-12 w-full ${bar}`} />
          </div>
        </div>
        <div className="h-96" />
      </div>
    </div>
  );
}
