import { Link } from "react-router";
import { Picture } from "../../../ui/product/picture.tsx";

export function Hero() {
  return (
    <section className="relative flex flex-col lg:px-4 lg:pt-4">
      <div className="page py-9 sm:py-12 lg:absolute lg:inset-x-0 lg:z-10 lg:pt-[min(6.5vw,11svh)]">
        <h1 className="text-[clamp(3.25rem,6.4vw,7rem)] leading-none font-semibold tracking-[-0.035em] lg:max-w-[6em]">
          Fresh food, 3x&nbsp;longer.
        </h1>
        <div className="mt-7 flex flex-wrap gap-3 lg:mt-[2.5vw]">
          <Link to="/shop" className="button button-primary max-sm:flex-1">
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
        sizes="(min-width: 1024px) 120vw, (min-width: 640px) 140vw, 810px"
        priority
        className="block max-lg:px-[clamp(20px,4vw,48px)]"
        imgClassName="h-84 w-full rounded-card object-cover object-[83%_60%] sm:h-[58vw] sm:object-[90%_60%] lg:h-[min(100svh-96px,50vw)] lg:min-h-[520px] lg:object-[70%_60%]"
      />
    </section>
  );
}
