import { useRef, useState, type MouseEvent } from "react";
import type { Product } from "../../../shop/catalog/product.ts";
import { Picture } from "../../ui/picture.tsx";

const shots: Record<string, string> = {
  hero: "closed, seen at an angle from above",
  front: "closed, seen straight from the front",
  open: "open, with produce inside",
  lid: "the lid from above",
  back: "the back with its USB-C port",
  exploded: "its parts, one above the other",
  counter: "on a kitchen counter, full of vegetables",
  desk: "at lunch beside a laptop",
  breakfast: "full of berries on a wooden table",
  picnic: "on a checked blanket in the grass",
  filter: "a new one and a used one beside the bowl",
};

function describe(product: Product, picture: string): string {
  const shot = shots[picture.split("-").at(-1) ?? ""];
  return shot ? `${product.name}, ${shot}` : product.name;
}

/** Pictures side by side in one row that snaps: swiped, scrolled with the arrow keys, or chosen below. */
export function Gallery({ product }: { product: Product }) {
  const pictures = product.images.length > 0 ? product.images : [product.thumbnail ?? ""];
  const row = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const several = pictures.length > 1;

  const show = (event: MouseEvent, index: number) => {
    if (!row.current) return;
    event.preventDefault();
    row.current.scrollTo({ left: index * row.current.clientWidth, behavior: "smooth" });
  };

  return (
    <section aria-label="Pictures" className="min-w-0">
      <div className="max-lg:-mx-[clamp(20px,4vw,48px)]" style={{ viewTransitionName: `picture-${product.slug}` }}>
        <ul
          ref={row}
          tabIndex={several ? 0 : undefined}
          aria-label={`Pictures of ${product.name}`}
          onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
            setCurrent(Math.round(scrollLeft / clientWidth))
          }
          className="flex snap-x snap-mandatory overflow-x-auto overscroll-x-contain bg-photo [scrollbar-width:none] lg:rounded-card"
        >
          {pictures.map((name, index) => (
            <li key={name} id={`picture-${index + 1}`} className="w-full shrink-0 snap-start snap-always">
              <Picture
                name={name}
                alt={describe(product, name)}
                sizes="(min-width: 1320px) 690px, (min-width: 1024px) 54vw, 100vw"
                priority={index === 0}
                className="block"
                imgClassName="aspect-square size-full object-cover"
              />
            </li>
          ))}
        </ul>
      </div>
      {several && (
        <ul aria-label="Choose a picture" className="mt-3 flex gap-2.5 sm:gap-3">
          {pictures.map((name, index) => (
            <li key={name} className="w-full max-w-24">
              <a
                href={`#picture-${index + 1}`}
                aria-label={`Picture ${index + 1} of ${pictures.length}`}
                aria-current={index === current ? "true" : undefined}
                onClick={(event) => show(event, index)}
                className="block overflow-hidden rounded-[10px] opacity-70 ring-ink transition-opacity hover:opacity-100 aria-[current=true]:opacity-100 aria-[current=true]:ring-2 aria-[current=true]:ring-offset-2 aria-[current=true]:ring-offset-paper"
              >
                <Picture
                  name={name}
                  alt=""
                  sizes="96px"
                  className="block"
                  imgClassName="aspect-square size-full object-cover"
                />
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
