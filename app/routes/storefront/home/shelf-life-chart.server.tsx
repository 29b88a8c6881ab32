/** The shelf-life chart, rendered once a process, so that the browser loads no code for it. */
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { counterSource, type ShelfLife, shelfLives } from "#shop/content/home.ts";

const LAST_DAY = 15;
const DAYS = [5, 10, LAST_DAY];

const along = (days: number) => `${(days / LAST_DAY) * 100}%`;

export const shelfLifeChart = renderToStaticMarkup(<Chart />);

function Chart() {
  return (
    <figure>
      <p className="text-lg font-medium">Counter times: USDA. Bowl times: our estimate, which we’re testing.</p>
      <div aria-hidden="true" className="forced-color-adjust-none">
        <p className="mt-4 flex flex-wrap gap-x-7 gap-y-2 text-[15px]">
          <span className="flex items-center gap-2.5">
            <span className="h-2.5 w-6 rounded-[3px] bg-copper" />
            On the counter
          </span>
          <span className="flex items-center gap-2.5">
            <span className="h-5 w-6 rounded-[5px] bg-leaf" />
            In the bowl
          </span>
        </p>
        <div className="relative mt-7 pt-10">
          {DAYS.map((day) => (
            <span key={day} style={{ left: along(day) }} className="absolute inset-y-0 w-0">
              <span
                className={`absolute top-0 text-sm whitespace-nowrap text-ink-soft ${day === LAST_DAY ? "right-0" : "-translate-x-1/2"}`}
              >
                {day} days
              </span>
              <span className="absolute top-7 bottom-0 border-l border-ink/15" />
            </span>
          ))}
          <ul className="relative grid gap-6 lg:gap-8">
            {shelfLives.map((life) => (
              <Row key={life.produce} {...life} />
            ))}
          </ul>
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
      <figcaption className="mt-9 max-w-[56em] border-t border-ink/20 pt-4 text-sm leading-relaxed text-ink-soft">
        On the counter: the longest time at room temperature in{" "}
        <a href={counterSource.url} className="underline underline-offset-3 hover:text-ink">
          {counterSource.name}
        </a>
        , {counterSource.publisher}; basil with its stems in water. In the bowl: about 3x longer, at the temperature
        each likes best. It’s our own estimate, not a laboratory result.
      </figcaption>
    </figure>
  );
}

type BarProps = { days: number; className: string; children: ReactNode };

/** A bar with its number, which rides at its end while it grows: the bar slides in from under the left edge. */
function Bar({ days, className, children }: BarProps) {
  return (
    <span className="bar-track flex min-h-[15px] items-center">
      <span
        style={{ width: along(days) }}
        className={`grow-bar relative flex items-center justify-end tabular-nums ${className}`}
      >
        {children}
      </span>
    </span>
  );
}

function Row({ produce, counterDays, bowlDays }: ShelfLife) {
  return (
    <li className="grid gap-1.5">
      <span className="w-fit bg-paper pr-2 text-[17px] font-semibold tracking-[-0.01em]">{produce}</span>
      <Bar days={counterDays} className="h-2.5 rounded-[3px] bg-copper">
        <span className="absolute left-full ml-2 bg-paper pr-1 text-[15px] leading-none font-medium">
          {counterDays}
        </span>
      </Bar>
      <Bar days={bowlDays} className="h-8 rounded-[5px] bg-leaf lg:h-10">
        <span className="px-2.5 text-[17px] font-semibold text-white">{bowlDays}</span>
      </Bar>
    </li>
  );
}
