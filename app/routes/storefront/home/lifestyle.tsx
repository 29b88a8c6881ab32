import { Link } from "react-router";
import type { HomeClaims } from "#shop/content/home.ts";
import { Picture } from "#app/ui/product/picture.tsx";

// Width of a picture before its frame crops it.
const LANDSCAPE = "(min-width: 1334px) 840px, (min-width: 768px) 63vw, 102vw";
const SQUARE = "(min-width: 1334px) 560px, (min-width: 768px) 42vw, 92vw";

const wide = { span: "md:col-span-2", sizes: LANDSCAPE };

const scenes = ({ picnic }: Pick<HomeClaims, "picnic">) => [
  {
    ...wide,
    picture: "lifestyle-counter",
    title: "Sunday's market, Friday's salad.",
    alt: "An Earth Green bowl full of vegetables in morning light, its lid beside it",
  },
  {
    span: "",
    sizes: SQUARE,
    picture: "lifestyle-breakfast",
    title: "Berries that see the weekend.",
    alt: "A Frost White bowl of blueberries and raspberries on a wooden table",
  },
  {
    span: "",
    sizes: LANDSCAPE,
    picture: "lifestyle-picnic",
    title: picnic,
    alt: "A Frost White bowl in its travel sleeve on a checked blanket in the grass, with apples, a pear and tomatoes",
  },
  {
    ...wide,
    picture: "lifestyle-desk",
    title: "Lunch for two, held at 37°F.",
    alt: "An open Midnight Black bowl of salad on a wooden desk, with chopsticks, a notebook and a laptop",
  },
];

export function Lifestyle(claims: Pick<HomeClaims, "picnic">) {
  return (
    <section className="page section" aria-labelledby="lifestyle">
      <h2 id="lifestyle" className="display max-w-[11em]">
        At home wherever you eat
      </h2>
      <ul className="mt-10 grid gap-x-4 gap-y-10 md:mt-16 md:grid-cols-3 lg:gap-x-6 lg:gap-y-14">
        {scenes(claims).map(({ picture, title, alt, span, sizes }) => (
          <li key={picture} className={span}>
            <Picture
              name={picture}
              alt={alt}
              sizes={sizes}
              imgClassName="aspect-4/3 w-full rounded-card object-cover object-[50%_60%] md:aspect-auto md:h-[clamp(320px,42vw,560px)]"
            />
            <div className="mt-4">
              <h3 id={`scene-${picture}`} className="text-lg font-semibold tracking-[-0.01em]">
                {title}
              </h3>
              <p className="flex gap-5">
                <Link
                  to="/how-it-works"
                  prefetch="intent"
                  aria-describedby={`scene-${picture}`}
                  className="text-link flex min-h-11 items-center"
                >
                  Learn More <span className="sr-only">about how it works</span>
                </Link>
                <Link
                  to="/shop"
                  prefetch="intent"
                  aria-describedby={`scene-${picture}`}
                  className="text-link flex min-h-11 min-w-11 items-center"
                >
                  Buy
                </Link>
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
