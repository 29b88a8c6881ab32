/** The shelf-life chart, rendered once a process, so that the browser loads no code for it. */
import { renderToStaticMarkup } from "react-dom/server";
import { counterSource, type ShelfLife, shelfLives } from "#shop/content/home.ts";

const WEEKS = 3;
const AXIS = 44;
const ROW = 92;
const HEIGHT = AXIS + ROW * shelfLives.length - 14;

/** Widths are percentages and text has a fixed size, to be readable on a phone. */
const along = (days: number) => `${(days / (7 * WEEKS)) * 100}%`;

export const shelfLifeChart = renderToStaticMarkup(<Chart />);

function Chart() {
  return (
    <figure>
      <div aria-hidden="true">
        <p className="flex flex-wrap gap-x-7 gap-y-2 text-[15px] font-medium">
          <span className="flex items-center gap-2.5">
            <svg width="24" height="10" className="text-copper">
              <rect width="24" height="10" rx="3" fill="currentColor" />
            </svg>
            On the counter
          </span>
          <span className="flex items-center gap-2.5">
            <svg width="24" height="20" className="text-leaf">
              <rect width="24" height="20" rx="5" fill="currentColor" />
            </svg>
            In the bowl
          </span>
        </p>
        <div className="mt-7">
          <svg width="100%" height={HEIGHT} className="block overflow-visible">
            <Weeks />
            {shelfLives.map((life, i) => (
              <Row key={life.produce} life={life} top={AXIS + i * ROW} />
            ))}
          </svg>
        </div>
      </div>
      <div className="sr-only">
        <table>
          <caption>How many days produce keeps</caption>
          <thead>
            <tr>
              <th scope="col">Produce</th>
              <th scope="col">On the counter</th>
              <th scope="col">In the bowl</th>
            </tr>
          </thead>
          <tbody>
            {shelfLives.map(({ produce, counterDays, bowlDays }) => (
              <tr key={produce}>
                <th scope="row">{produce}</th>
                <td>{counterDays}</td>
                <td>about {bowlDays}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <figcaption className="mt-9 border-t border-ink/20 pt-4 text-sm leading-relaxed text-ink-soft">
        <strong className="font-semibold text-ink">In days.</strong> On the counter: the longest time at room
        temperature in{" "}
        <a href={counterSource.url} className="underline underline-offset-3 hover:text-ink">
          {counterSource.name}
        </a>
        , {counterSource.publisher}; basil with its stems in water. In the bowl: our own claim of about 3x longer, at
        the temperature each likes best, not a laboratory result.
      </figcaption>
    </figure>
  );
}

function Weeks() {
  return Array.from({ length: WEEKS }, (_, i) => {
    const week = i + 1;
    const x = along(week * 7);
    return (
      <g key={week}>
        <line x1={x} x2={x} y1="26" y2={HEIGHT} stroke="currentColor" strokeOpacity="0.16" />
        <text
          x={x}
          y="14"
          textAnchor={week === WEEKS ? "end" : "middle"}
          className="fill-ink-soft text-sm forced-colors:fill-current"
        >
          {week === 1 ? "1 week" : `${week} weeks`}
        </text>
      </g>
    );
  });
}

function Row({ life: { produce, counterDays, bowlDays }, top }: { life: ShelfLife; top: number }) {
  return (
    <g transform={`translate(0 ${top})`}>
      <text
        y="14"
        strokeWidth="6"
        paintOrder="stroke"
        className="fill-current stroke-paper forced-colors:stroke-[Canvas] text-[17px] font-semibold tracking-[-0.01em]"
      >
        {produce}
      </text>
      <rect y="26" width={along(counterDays)} height="10" rx="3" className="fill-copper" />
      <text
        x={along(counterDays)}
        dx="8"
        y="36"
        strokeWidth="6"
        paintOrder="stroke"
        className="fill-current stroke-paper forced-colors:stroke-[Canvas] text-[15px] font-medium"
      >
        {counterDays}
      </text>
      <rect y="42" width={along(bowlDays)} height="30" rx="5" className="fill-leaf" />
      <text
        x={along(bowlDays)}
        dx="-10"
        y="63"
        textAnchor="end"
        className="fill-white text-[17px] font-semibold forced-color-adjust-none"
      >
        {bowlDays}
      </text>
    </g>
  );
}
