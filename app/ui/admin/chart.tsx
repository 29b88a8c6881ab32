/** A chart of days, drawn where the page is made: bars of one ink, words at the axes, the last day open. */
import { useId } from "react";

export type ChartDay = { day: string; value: number };
type ChartProps = {
  /** What it shows, for whoever cannot see it. */
  title: string;
  days: ChartDay[];
  format: (value: number) => string;
};

/** A round number at or above the greatest value. */
function ceiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((step) => step >= value) ?? value;
}

export const dayWords = (day: string, options: Intl.DateTimeFormatOptions = { month: "short", day: "numeric" }) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString("en-US", { ...options, timeZone: "UTC" });

export function DayChart({ title, days, format }: ChartProps) {
  const id = useId();
  const top = ceiling(Math.max(...days.map(({ value }) => value)));
  const gap = days.length > 120 ? 0.1 : 0.2;
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  const stroke = { vectorEffect: "non-scaling-stroke" } as const;
  // The bars are stretched to the room there is, and the words beside them are not.
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 gap-y-1 py-2 text-xs text-ink-soft tabular-nums">
      <div aria-hidden="true" className="-my-2 flex flex-col justify-between text-right">
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{format(value)}</span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${days.length} ${top}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={id}
        className="h-36 w-full overflow-visible"
      >
        <title id={id}>{title}</title>
        {[0, top / 2, top].map((y) => (
          <line key={y} x1={0} x2={days.length} y1={y} y2={y} stroke="var(--color-line)" {...stroke} />
        ))}
        {days.map(({ day, value }, i) => {
          const isOpen = i === days.length - 1;
          return (
            <rect
              key={day}
              x={i + gap / 2}
              y={top - value}
              width={1 - gap}
              height={value}
              fill={isOpen ? "var(--color-card)" : "var(--color-ink)"}
              stroke={isOpen ? "var(--color-ink)" : "none"}
              strokeDasharray={isOpen ? "2 2" : undefined}
              {...stroke}
            >
              <title>{`${dayWords(day)}: ${format(value)}${isOpen ? ", not over yet" : ""}`}</title>
            </rect>
          );
        })}
      </svg>
      <p aria-hidden="true" className="col-start-2 flex justify-between">
        <span>{dayWords(first.day)}</span>
        <span>{`${dayWords(last.day)}, not over yet`}</span>
      </p>
    </div>
  );
}
