/** The chart of shelf lives, rendered once a process, so that the browser loads no code for it. */
import { renderToStaticMarkup } from "react-dom/server";
import { FOOD_KEEPER_URL, type ShelfLife, shelfLives } from "#shop/content/shelf-life.ts";

const LAST_DAY = Math.max(...shelfLives.map(({ bowlDays }) => bowlDays));

/** Leaves room for the number at the end of the longest bar. */
const along = (days: number) => `calc((100% - 4.5rem) * ${days / LAST_DAY})`;

const PLACES = [
  { name: "Counter", of: "counterDays", bar: "bg-copper" },
  { name: "Refrigerator", of: "fridgeDays", bar: "bg-current/35" },
  { name: "Bowl", of: "bowlDays", bar: "bg-leaf in-[.dark-band]:bg-mint" },
] as const;

export const shelfLifeChart = renderToStaticMarkup(<Chart />);

function Chart() {
  return (
    <figure>
      <ul aria-hidden="true" className="grid gap-10 forced-color-adjust-none lg:gap-12">
        {shelfLives.map((life) => (
          <Row key={life.produce} {...life} />
        ))}
      </ul>
      <div className="sr-only">
        <table>
          <caption>How many days produce keeps</caption>
          <thead>
            <tr>
              <th scope="col">Produce</th>
              {PLACES.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {shelfLives.map((life) => (
              <tr key={life.produce}>
                <th scope="row">
                  {life.produce} at {life.setting}°F
                </th>
                {PLACES.map(({ name, of }) => (
                  <td key={name}>{life[of]}</td>
                ))}
                <td>{life.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <figcaption className="mt-10 border-t border-current/20 pt-4 text-sm leading-relaxed text-current/80">
        <p className="max-w-[60em]">
          Days at best, from published storage trials. Ours are under way. “3x longer” is our own estimate, compared
          with a counter. Berries keep about as long in a refrigerator as in the bowl, but the bowl is where you see
          them.
        </p>
        <details className="mt-1">
          <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold underline underline-offset-3 outline-current">
            Sources
          </summary>
          <p className="mt-1 max-w-[60em]">
            {shelfLives.map(({ source }) => source).join(" ")} FoodKeeper is at{" "}
            <a href={FOOD_KEEPER_URL} className="underline underline-offset-3 outline-current">
              foodsafety.gov
            </a>
            .
          </p>
        </details>
      </figcaption>
    </figure>
  );
}

function Row({ produce, setting, reason, ...days }: ShelfLife) {
  return (
    <li className="grid gap-x-16 gap-y-4 md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <div>
        <p className="text-xl font-semibold tracking-[-0.01em] lg:text-2xl">{produce}</p>
        <p className="mt-1.5 max-w-[26em] text-[15px] leading-relaxed text-current/80">{reason}</p>
      </div>
      <div className="grid content-center gap-2.5">
        {PLACES.map(({ name, of, bar }) => (
          <div key={name} className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-center gap-3">
            <span className="text-[15px]">{of === "bowlDays" ? `${name} at ${setting}°F` : name}</span>
            <span className="bar-track flex">
              <span style={{ width: along(days[of]) }} className="grow-bar relative flex">
                <span className={`h-3.5 w-full rounded-[3px] ${bar}`} />
                <span className="absolute left-full ml-2.5 text-[15px] leading-[14px] font-semibold whitespace-nowrap tabular-nums">
                  {days[of]} days
                </span>
              </span>
            </span>
          </div>
        ))}
      </div>
    </li>
  );
}
