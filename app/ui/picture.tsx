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
        <svg viewBox="0 0 44 32" width="56" aria-hidden="true" className="fill-current opacity-20">
          <path d="M0 8.4C3 3 12 0 22 0s19 3 22 8.4c.6 1.2 0 1.9-1.4 1.9H1.4C0 10.3-.6 9.6 0 8.4Z" />
          <path d="M1 13.3h42C43 25 36.5 32 28 32H16C7.5 32 1 25 1 13.3Z" />
        </svg>
      </span>
    </span>
  );
}
