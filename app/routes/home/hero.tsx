import { Link } from "react-router";
import { Picture } from "../../ui/picture.tsx";

export function Hero() {
  return (
    <section className="relative flex flex-col px-3 pt-3 sm:px-4 sm:pt-4">
      <div className="px-2 pt-8 pb-8 sm:px-6 lg:absolute lg:inset-x-4 lg:top-4 lg:z-10 lg:px-[4.5vw] lg:pt-[6.5vw]">
        <h1 className="text-[clamp(2.75rem,5.6vw,6rem)] leading-[1.02] font-semibold tracking-[-0.03em] lg:max-w-[9.5em]">
          Fresh for 3x longer, right on your counter.
        </h1>
        <div className="mt-7 flex flex-wrap gap-3 lg:mt-[2.8vw]">
          <Link to="/shop" prefetch="intent" className="button button-primary max-sm:flex-1">
            Pre-Order
          </Link>
          <Link to="/how-it-works" className="button button-quiet px-5 max-sm:flex-1">
            How It Works
          </Link>
        </div>
      </div>
      <Picture
        name="banner"
        alt="An Earth Green Polara bowl on a kitchen counter, filled with lettuce, tomatoes, limes and an avocado. Its display reads 37°F."
        sizes="(min-width: 1024px) 125vw, (min-width: 640px) 150vw, 230vw"
        priority
        imgClassName="h-92 w-full rounded-card object-cover object-[77%_60%] sm:h-[60vw] lg:h-[min(100svh-96px,50vw)] lg:min-h-[520px] lg:object-[70%_60%]"
      />
    </section>
  );
}
