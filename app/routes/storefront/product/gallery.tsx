import { useRef, useState, type KeyboardEvent, type MouseEvent } from "react";
import type { ProductDetails } from "#shop/catalog/shown-product.ts";
import { cropOf, largestFile, Picture, pictureOf } from "#app/ui/product/picture.tsx";
import { MAIN_SIZES } from "./skeleton.tsx";
import { ifOnline } from "#app/ui/chrome/offline.ts";
import type { Press, Zoom } from "./zoom.tsx";

const loadZoom = () => import("./zoom.tsx");

const shots: Record<string, string> = {
  hero: "closed, seen at an angle from above",
  front: "closed, seen straight from the front",
  open: "open, with produce inside",
  lid: "the lid from above",
  back: "the back with its USB-C port",
  exploded: "its parts, one above the other",
  counter: "on a kitchen counter, open and full",
  desk: "at lunch on a wooden desk",
  breakfast: "full of berries on a wooden table",
  picnic: "on a blanket in the grass",
  filter: "a new one and a used one next to the bowl",
};

function describe(product: ProductDetails, picture: string): string {
  const alt = product.pictureAlts[picture];
  if (alt) return alt;
  const shot = shots[picture.split("-").at(-1) ?? ""];
  return shot ? `${product.name}, ${shot}` : product.name;
}

/**
 * A snapping row of pictures: by swipe, arrow keys or thumbnails. A press enlarges one; without JavaScript it links to
 * the largest file.
 */
export function Gallery({ product }: { product: ProductDetails }) {
  const pictures = product.pictures.length > 0 ? product.pictures : [""];
  const row = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const [zoomed, setZoomed] = useState<{ Large: typeof Zoom; press: Press }>();
  const several = pictures.length > 1;

  const show = (index: number) => row.current?.scrollTo({ left: index * row.current.clientWidth });

  const turn = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const list = (event.target as Element).closest("ul");
    if (!step || !list || event.altKey || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    const links = [...list.querySelectorAll("a")];
    const next = links.indexOf(event.target as HTMLAnchorElement) + step;
    if (!links[next]) return;
    links[next].focus({ preventScroll: true });
    show(next);
  };

  const enlarge = (event: MouseEvent<HTMLAnchorElement>, name: string) => {
    const { currentTarget: link, nativeEvent: at, metaKey, ctrlKey, shiftKey } = event;
    if (!pictureOf(name) || metaKey || ctrlKey || shiftKey) return;
    event.preventDefault();
    loadZoom().then(
      ({ Zoom: Large }) => setZoomed({ Large, press: { link, name, at } }),
      () => ifOnline(() => location.assign(link.href)),
    );
  };

  return (
    <section aria-label="Pictures" className="min-w-0" onKeyDown={turn}>
      <div
        className="enlargeable relative outline-leaf has-[:focus-visible]:outline-2 max-lg:-mx-[clamp(20px,4vw,48px)] lg:rounded-card lg:outline-offset-3"
        style={{ viewTransitionName: `picture-${product.slug}` }}
      >
        <ul
          ref={row}
          aria-label={`Pictures of ${product.name}`}
          onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
            setCurrent(Math.round(scrollLeft / clientWidth))
          }
          className="flex snap-x snap-mandatory overflow-x-auto overscroll-x-contain scroll-smooth bg-photo [scrollbar-width:none] lg:rounded-card"
        >
          {pictures.map((name, index) => (
            <li key={name} id={`picture-${index + 1}`} className="w-full shrink-0 snap-start snap-always">
              <a
                href={largestFile(name)}
                draggable={false}
                tabIndex={index === current ? undefined : -1}
                onPointerDown={loadZoom}
                onClick={(event) => enlarge(event, name)}
                className="relative block cursor-zoom-in overflow-hidden outline-none"
              >
                <span className="sr-only">Enlarge: </span>
                <Picture
                  name={name}
                  alt={describe(product, name)}
                  sizes={MAIN_SIZES}
                  priority={index === 0}
                  className="block"
                  imgClassName={`aspect-square size-full object-cover ${cropOf(name)}`}
                />
              </a>
            </li>
          ))}
        </ul>
        {several && (
          <p
            aria-hidden="true"
            className="pointer-events-none absolute bottom-4 left-5 rounded-full bg-card/85 px-3 py-1 text-sm font-medium tabular-nums lg:hidden"
          >
            {`${current + 1} / ${pictures.length}`}
          </p>
        )}
      </div>
      {several && (
        <ul aria-label="Choose a picture" className="mt-3 flex gap-2.5 sm:gap-3">
          {pictures.map((name, index) => (
            <li key={name} className="w-full max-w-24">
              <a
                href={`#picture-${index + 1}`}
                aria-label={`Picture ${index + 1} of ${pictures.length}`}
                aria-current={index === current ? "true" : undefined}
                onClick={(event) => {
                  event.preventDefault();
                  show(index);
                }}
                className="block overflow-hidden rounded-[10px] opacity-70 ring-ink transition-opacity hover:opacity-100 aria-[current=true]:opacity-100 aria-[current=true]:ring-2 aria-[current=true]:ring-offset-2 aria-[current=true]:ring-offset-paper"
              >
                <Picture
                  name={name}
                  alt=""
                  sizes="96px"
                  className="block"
                  imgClassName={`aspect-square size-full object-cover ${cropOf(name)}`}
                />
              </a>
            </li>
          ))}
        </ul>
      )}
      {zoomed && <zoomed.Large press={zoomed.press} onClose={() => setZoomed(undefined)} />}
    </section>
  );
}
