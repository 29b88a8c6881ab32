const CARDS = 6;

export const GRID = "grid grid-cols-2 gap-x-4 gap-y-10 lg:grid-cols-3 lg:gap-x-6 lg:gap-y-14";

export function ProductGridSkeleton() {
  return (
    <div aria-hidden="true" className={`${GRID} animate-pulse`}>
      {Array.from({ length: CARDS }, (_, index) => (
        <div key={index} data-skeleton>
          <div className="aspect-square rounded-card bg-photo" />
          <div className="mt-5 h-4 w-3/4 rounded-full bg-photo" />
          <div className="mt-3 h-3.5 w-1/2 rounded-full bg-photo" />
          <div className="mt-3 mb-16 h-4 w-1/3 rounded-full bg-photo" />
        </div>
      ))}
    </div>
  );
}

export function ShopSkeleton({ heading }: { heading: string }) {
  return (
    <div className="page py-10 lg:py-16">
      <h1 className="display">{heading}</h1>
      <div className="mt-8 lg:mt-12 lg:pl-[288px]">
        <p role="status" className="mb-6 flex min-h-11 items-center text-ink-soft">
          Loading products
        </p>
        <ProductGridSkeleton />
      </div>
    </div>
  );
}
