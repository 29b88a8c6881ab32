import { bowlPath, lidPath, markBox } from "../chrome/mark.ts";
import { pictures, type PictureName } from "./pictures.generated.ts";

type PictureProps = {
  name: PictureName | (string & {}); // one that is not in the manifest shows a neutral tile
  alt: string;
  sizes: string;
  priority?: boolean; // for the first large picture of a page
  className?: string;
  imgClassName?: string;
};

export function hasPicture(name: string): name is PictureName {
  return Object.hasOwn(pictures, name);
}

/** The address of a picture as large as there is one. */
export function largestFile(name: string): string | undefined {
  return hasPicture(name) ? `/images/${name}-${pictures[name].widths.at(-1)}.webp` : undefined;
}

export function Picture(props: PictureProps) {
  const { name, alt, sizes, priority = false, className, imgClassName } = props;
  if (!hasPicture(name)) return <Tile {...props} />;
  const { width, height, widths, color } = pictures[name];
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
        src={`/images/${name}-${Math.min(800, width)}.webp`}
        className={imgClassName}
        style={{ backgroundColor: color }}
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
