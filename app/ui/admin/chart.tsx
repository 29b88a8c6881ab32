/** A chart of days, drawn where the page is made: bars of one ink, words at the axes, the last day open. */
import { useId } from "react";

export type ChartDay = { day: string; value: number };
type ChartProps = {
  /** What it shows, for whoever cannot see it. */
  title: string;
  days: ChartDay[];
  format: (value: number) => string;
};

const WIDTH = 720;
const HEIGHT = 180;
const LEFT = 64;
const BOTTOM = 24;
const TOP = 12;

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
  const step = (WIDTH - LEFT) / days.length;
  const gap = days.length > 120 ? 0.3 : Math.min(4, step * 0.25);
  const heightOf = (value: number) => (value / top) * (HEIGHT - TOP - BOTTOM);
  const base = HEIGHT - BOTTOM;
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  const text = { fontSize: 12, fill: "var(--color-ink-soft)" };
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id} className="h-auto w-full">
      <title id={id}>{title}</title>
      {[0, top / 2, top].map((value) => (
        <g key={value}>
          <line
            x1={LEFT}
            x2={WIDTH}
            y1={base - heightOf(value)}
            y2={base - heightOf(value)}
            stroke="var(--color-line)"
          />
          <text x={LEFT - 8} y={base - heightOf(value) + 4} textAnchor="end" {...text}>
            {format(value)}
          </text>
        </g>
      ))}
      {days.map(({ day, value }, i) => {
        const isOpen = i === days.length - 1;
        const box = {
          x: LEFT + i * step + gap / 2,
          y: base - heightOf(value),
          width: Math.max(0.5, step - gap),
          height: heightOf(value),
        };
        return (
          <rect
            key={day}
            {...box}
            fill={isOpen ? "var(--color-card)" : "var(--color-ink)"}
            stroke={isOpen ? "var(--color-ink)" : "none"}
            strokeDasharray={isOpen ? "2 2" : undefined}
          >
            <title>{`${dayWords(day)}: ${format(value)}${isOpen ? ", not over yet" : ""}`}</title>
          </rect>
        );
      })}
      <text x={LEFT} y={HEIGHT - 6} {...text}>
        {dayWords(first.day)}
      </text>
      <text x={WIDTH} y={HEIGHT - 6} textAnchor="end" {...text}>
        {`${dayWords(last.day)}, not over yet`}
      </text>
    </svg>
  );
}
