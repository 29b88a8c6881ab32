import { Link } from "#app/ui/chrome/link.tsx";
import type { HomeWords } from "#shop/content/home.ts";
import { Picture } from "#app/ui/product/picture.tsx";

// Widths of the pictures before their frames crop them.
const FULL = "(min-width: 1024px) 100vw, (min-width: 640px) 110vw, 180vw";
const TALL = "(min-width: 1334px) 640px, (min-width: 768px) 46vw, 122vw";
const SQUARE = "(min-width: 1334px) 430px, (min-width: 768px) 31vw, 92vw";

/** In the order of their titles. */
const scenes = [
  {
    picture: "kitchen-wide",
    alt: "A kitchen in the morning sun: a closed Earth Green bowl at 37°F between a plate of fruit, a mug and a toaster",
    sizes: FULL,
  },
  {
    picture: "lifestyle-breakfast",
    alt: "A Frost White bowl of blueberries and raspberries on a wooden table",
    sizes: SQUARE,
  },
  {
    picture: "lifestyle-picnic",
    alt: "A Frost White bowl of strawberries and grapes in its travel sleeve on a checkered blanket, with apples and melon",
    sizes: TALL,
  },
  {
    picture: "lifestyle-desk",
    alt: "An open Midnight Black bowl at 37°F on a wooden desk, full of lettuce, broccoli and grapes, with a keyboard and a mug behind it",
    sizes: TALL,
  },
];

type SceneProps = (typeof scenes)[number] & {
  title: string;
  frameClassName: string;
  imgClassName: string;
  captionClassName?: string;
};

/** The first scene is as wide as the window, the others are a row. */
export function Lifestyle({ lifestyle }: Pick<HomeWords, "lifestyle">) {
  const [first, ...others] = scenes.map((scene, i) => ({ ...scene, title: lifestyle.scenes[i]?.title ?? "" }));
  return (
    <section className="section" aria-labelledby="lifestyle">
      <h2 id="lifestyle" className="page display">
        {lifestyle.heading}
      </h2>
      <div className="mt-8 md:mt-12 lg:px-4">
        {first && (
          <Scene
            {...first}
            frameClassName="draws-closer lg:rounded-card"
            imgClassName="aspect-4/3 object-[70%_60%] sm:aspect-auto sm:h-[clamp(340px,46vw,min(880px,84svh))]"
            captionClassName="page lg:px-[max(32px,calc((100vw-1320px)/2+32px))] lg:max-w-none"
          />
        )}
      </div>
      <ul className="page mt-10 grid gap-x-4 gap-y-10 md:mt-14 md:grid-cols-3 lg:gap-x-6">
        {others.map((scene) => (
          <li key={scene.picture}>
            <Scene
              {...scene}
              frameClassName="rounded-card"
              imgClassName="aspect-4/3 object-[50%_60%] md:aspect-auto md:h-[clamp(280px,33vw,440px)]"
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Scene({ picture, title, alt, sizes, frameClassName, imgClassName, captionClassName = "" }: SceneProps) {
  return (
    <>
      <div className={`overflow-hidden ${frameClassName}`}>
        <Picture name={picture} alt={alt} sizes={sizes} imgClassName={`w-full object-cover ${imgClassName}`} />
      </div>
      <div className={`mt-4 ${captionClassName}`}>
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
    </>
  );
}
