import { Link } from "react-router";
import type { HomeClaims } from "../../../../shop/content/claims.ts";
import { Picture } from "../../../ui/product/picture.tsx";

export default function Closing({ promises }: Pick<HomeClaims, "promises">) {
  return (
    <section className="page section" aria-labelledby="closing">
      <div className="grid overflow-hidden rounded-[20px] bg-ink text-paper lg:grid-cols-2">
        <div className="flex flex-col items-start justify-center gap-8 p-7 py-14 sm:p-14 lg:py-24 xl:p-20">
          <h2 id="closing" className="display">
            Get Yours Before It's Gone
          </h2>
          <Link to="/shop" className="button bg-paper text-ink outline-paper hover:bg-white">
            Shop Polara
          </Link>
        </div>
        <Picture
          name="pro-midnight-black-lid"
          alt="The lid of a Midnight Black bowl with its ethylene filter and a ring of light around it"
          sizes="(min-width: 1320px) 660px, (min-width: 1024px) 50vw, 92vw"
          imgClassName="h-80 w-full object-cover object-[50%_55%] sm:h-110 lg:h-full lg:min-h-130"
        />
      </div>
      <ul className="mt-10 grid gap-6 sm:grid-cols-3 sm:gap-8">
        {promises.map(({ title, text }) => (
          <li key={title} className="border-t border-ink/20 pt-4">
            <h3 className="text-lg font-semibold tracking-[-0.01em]">{title}</h3>
            <p className="mt-1 text-[15px] text-ink-soft">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
