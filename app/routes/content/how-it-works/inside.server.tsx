/** The cutaway drawing, rendered here, so that the browser loads no code for it. */
import type { CSSProperties } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { pages } from "#shop/content/texts.server.ts";
import { Picture } from "#app/ui/product/picture.tsx";
import { layers, polygon } from "./outlines.ts";

type Part = { title: string; text: string; x: number; y: number; side: "left" | "right" };
type InsideProps = { heading: string; picture: string; pictureAlt: string; parts: Part[] };

/** Distance of the numbers from the picture's edge, in percent. */
const MARGIN = 8;
const column = (side: Part["side"]) => (side === "left" ? MARGIN : 100 - MARGIN);

const SIZES = "(min-width: 1320px) 670px, (min-width: 1024px) 54vw, 92vw";

export const insideDrawing = () => renderToStaticMarkup(<Inside {...pages().howItWorks.front.inside} />);

function Inside({ heading, picture, pictureAlt, parts }: InsideProps) {
  return (
    <section className="page pb-[clamp(56px,8vw,112px)]" aria-labelledby="inside">
      <h2 id="inside" className="display max-w-[12em]">
        {heading}
      </h2>
      <div className="mt-8 grid items-start gap-x-16 gap-y-9 lg:mt-14 lg:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)] xl:gap-x-20">
        <div className="opening relative">
          <Layers picture={picture} />
          <Picture
            name={picture}
            alt={pictureAlt}
            sizes={SIZES}
            className="opening-whole relative block"
            imgClassName="aspect-square w-full rounded-card object-cover"
          />
          <svg
            viewBox="0 0 100 100"
            aria-hidden="true"
            className="opening-whole pointer-events-none absolute inset-0 size-full text-ink"
          >
            {parts.map(({ title, x, y, side }) => (
              <g key={title}>
                <line
                  x1={column(side)}
                  x2={x}
                  y1={y}
                  y2={y}
                  stroke="currentColor"
                  strokeWidth="1.25"
                  vectorEffect="non-scaling-stroke"
                />
                <circle cx={x} cy={y} r="0.9" className="fill-paper" stroke="currentColor" strokeWidth="0.35" />
              </g>
            ))}
          </svg>
          {parts.map(({ title, y, side }, i) => (
            <span
              key={title}
              aria-hidden="true"
              style={{ left: `${column(side)}%`, top: `${y}%` }}
              className="opening-whole absolute grid size-7 -translate-1/2 place-items-center rounded-full bg-ink text-sm font-semibold text-paper forced-colors:border lg:size-9 lg:text-base"
            >
              {i + 1}
            </span>
          ))}
        </div>
        <ol>
          {parts.map(({ title, text }, i) => (
            <li key={title} className="flex gap-4 border-t border-ink/15 py-4 last:border-b lg:gap-5">
              <span
                aria-hidden="true"
                className="grid size-7 shrink-0 place-items-center rounded-full bg-ink text-sm font-semibold text-paper forced-colors:border"
              >
                {i + 1}
              </span>
              <div>
                <h3 className="text-lg leading-7 font-semibold tracking-[-0.01em]">{title}</h3>
                <p className="mt-0.5 leading-relaxed text-ink-soft">{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

/** The picture cut into its parts, for the animation of styles.css. Behind them its left edge, stretched, is the paper. */
function Layers({ picture }: Pick<InsideProps, "picture">) {
  const copy = <Picture name={picture} alt="" sizes={SIZES} imgClassName="aspect-square w-full object-cover" />;
  return (
    <div aria-hidden="true" className="opening-layers absolute inset-0 overflow-clip rounded-card">
      <div className="origin-left scale-x-700">{copy}</div>
      {layers.map(({ name, points, down }) => (
        <div
          key={name}
          style={{ clipPath: polygon(points), "--down": `${down}%` } as CSSProperties}
          className="opening-layer absolute inset-0"
        >
          {copy}
        </div>
      ))}
    </div>
  );
}
