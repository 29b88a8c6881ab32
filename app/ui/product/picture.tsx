import { mark } from "#app/ui/chrome/mark.ts";
import { pictures } from "./pictures.generated.ts";

type PictureProps = {
  name: string; // a name without a picture shows a neutral tile
  alt: string;
  sizes: string;
  priority?: boolean;
  /** Another picture below 640 px. */
  phone?: string;
  className?: string;
  imgClassName?: string;
};

/** Widths of a picture's files: the standard ones below its own, and its own. */
export const widthsOf = (width: number) => [...[400, 800, 1200, 1600].filter((w) => w < width), width];

/** Size and color, from the manifest or an upload's file name. */
export const pictureOf = (name: string) =>
  /(?<width>\d+)x(?<height>\d+)-(?<color>\w+)/.exec(pictures[name] ?? name)?.groups;

/** Studio pictures leave much calm space around the bowl, which a frame that clips can crop. */
export const cropOf = (name: string): string => (/-(front|back)$/.test(name) ? "scale-118" : "");

export function largestFile(name: string): string | undefined {
  const picture = pictureOf(name);
  return picture && `/images/${name}-${picture.width}.webp`;
}

export function Picture(props: PictureProps) {
  const { name, alt, sizes, priority = false, phone, className, imgClassName } = props;
  const picture = pictureOf(name);
  if (!picture) return <Tile {...props} />;
  const { width, height, color } = picture;
  const sources = (of: string, media?: string) => {
    const widths = widthsOf(+(pictureOf(of)?.width ?? 0));
    return ["avif", "webp"].map((type) => {
      const srcSet = widths.map((w) => `/images/${of}-${w}.${type} ${w}w`).join(", ");
      return <source key={type} media={media} type={`image/${type}`} srcSet={srcSet} sizes={sizes} />;
    });
  };
  return (
    <picture className={className}>
      {phone && sources(phone, "(width < 40rem)")}
      {sources(name)}
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
          viewBox={`0 0 ${mark.width} ${mark.height}`}
          width="56"
          aria-hidden="true"
          className="fill-current opacity-20"
        >
          <path fillRule="evenodd" d={mark.path} />
        </svg>
      </span>
    </span>
  );
}
