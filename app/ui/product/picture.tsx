import { bowlPath, lidPath, markBox } from "../chrome/mark.ts";
import { pictures } from "./pictures.generated.ts";

type PictureProps = {
  name: string; // one that there is no picture of shows a neutral tile
  alt: string;
  sizes: string;
  priority?: boolean; // for the first large picture of a page
  className?: string;
  imgClassName?: string;
};

/** How wide the files of a picture are: the usual widths below its own, and its own. */
export const widthsOf = (width: number) => [...[400, 800, 1200, 1600].filter((w) => w < width), width];

/** What a picture is: the manifest says it of the shop's own, and of one that was uploaded its name does. */
export const pictureOf = (name: string) =>
  /(?<width>\d+)x(?<height>\d+)-(?<color>\w+)/.exec(pictures[name] ?? name)?.groups;

/** The address of a picture as large as there is one. */
export function largestFile(name: string): string | undefined {
  const picture = pictureOf(name);
  return picture && `/images/${name}-${picture.width}.webp`;
}

export function Picture(props: PictureProps) {
  const { name, alt, sizes, priority = false, className, imgClassName } = props;
  const picture = pictureOf(name);
  if (!picture) return <Tile {...props} />;
  const { width, height, color } = picture;
  const widths = widthsOf(+width!);
  const srcSet = (type: string) => widths.map((w) => `/images/${name}-${w}.${type} ${w}w`).join(", ");
  return (
    <picture className={className}>
      <source type="image/avif" srcSet={srcSet("avif")} sizes={sizes} />
      <source type="image/webp" srcSet={srcSet("webp")} sizes={sizes} />
      <img
        loading={priority ? "eager" : "lazy"}
        fetchPriority={priority ? "high" : undefined}
        decoding="async"
        alt={alt}
        width={width}
        height={height}
        sizes={sizes}
        src={`/images/${name}-${Math.min(800, +width!)}.webp`}
        className={imgClassName}
        style={{ backgroundColor: `#${color}` }}
      />
    </picture>
  );
}

function Tile({ alt, className, imgClassName = "" }: PictureProps) {
  const label = alt ? { role: "img", "aria-label": alt } : { "aria-hidden": true };
  const tile = "grid aspect-square place-items-center bg-[#EAE9E6]";
  return (
    <span className={className}>
      <span {...label} className={`${tile} ${imgClassName}`}>
        <svg
          viewBox={`0 0 ${markBox.width} ${markBox.height}`}
          width="56"
          aria-hidden="true"
          className="fill-current opacity-20"
        >
          <path fillRule="evenodd" d={lidPath + bowlPath} />
        </svg>
      </span>
    </span>
  );
}
