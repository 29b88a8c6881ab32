/** Charts of the analytics screen, rendered as SVG on the server. A slider below them tells the value of each day. */
import { dayWords } from "#app/ui/admin/when.tsx";
import { Section } from "#app/ui/admin/page-head.tsx";
import { EmptyState } from "#app/ui/admin/table.tsx";
import { useId, useState } from "react";
import { useHydrated } from "#app/ui/chrome/page-state.ts";
import { formatMoney } from "#shop/money.ts";
import type { Day } from "#shop/analytics/analytics.server.ts";

type ChartDay = { day: string; value: number; before: number };
type ChartProps = {
  title: string;
  days: ChartDay[];
  today: string;
  format: (value: number) => string;
  empty: string;
};

/** Top of the axis. Even, so that its half is a whole number too. */
function ceiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return Math.max(2, [1, 2, 4, 6, 8, 10].map((step) => step * power).find((step) => step >= value) ?? value);
}

const axisDay = (day: string) => dayWords(day, { month: "short", day: "numeric" });

function DayChart({ title, days, today, format, empty }: ChartProps) {
  const id = useId();
  const isHydrated = useHydrated();
  const [shown, setShown] = useState(days.length - 1);
  const most = Math.max(...days.map(({ value }) => value));
  const top = ceiling(most);
  const gap = days.length > 120 ? 0.1 : 0.2;
  const [first, last] = [days[0], days.at(-1)];
  const partial = (day: string) => (day === today ? ", partial" : "");
  if (!first || !last || most <= 0) return <EmptyState>{empty}</EmptyState>;
  const words = days.map(
    ({ day, value, before }) =>
      `${axisDay(day)}: ${format(value)}${partial(day)}. In the period before: ${format(before)}.`,
  );
  const stroke = { vectorEffect: "non-scaling-stroke" } as const;
  // Bars stretch with the page; labels do not.
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
        onPointerMove={({ currentTarget, clientX }) => {
          const { left, width } = currentTarget.getBoundingClientRect();
          setShown(Math.min(days.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * days.length))));
        }}
        className="h-36 w-full overflow-visible"
      >
        <title id={id}>{title}</title>
        {[0, top / 2, top].map((y) => (
          <line key={y} x1={0} x2={days.length} y1={y} y2={y} stroke="var(--color-line)" {...stroke} />
        ))}
        {days.map(({ day, value }, i) => {
          const isOpen = day === today;
          return (
            <rect
              key={day}
              x={i + gap / 2}
              y={top - value}
              width={1 - gap}
              height={value}
              fill={isOpen ? "var(--color-card)" : "var(--color-leaf)"}
              fillOpacity={isHydrated && i === shown ? 0.6 : 1}
              stroke={isOpen ? "var(--color-leaf)" : "none"}
              strokeDasharray={isOpen ? "2 2" : undefined}
              {...stroke}
            >
              <title>{`${axisDay(day)}: ${format(value)}${partial(day)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p aria-hidden="true" className="col-start-2 flex justify-between">
        <span>{axisDay(first.day)}</span>
        <span>{axisDay(last.day) + partial(last.day)}</span>
      </p>
      {isHydrated && <DaySlider title={title} words={words} shown={shown} onChange={setShown} />}
    </div>
  );
}

type DaySliderProps = { title: string; words: string[]; shown: number; onChange: (day: number) => void };

function DaySlider({ title, words, shown, onChange }: DaySliderProps) {
  return (
    <div className="col-start-2 grid">
      <input
        type="range"
        min={0}
        max={words.length - 1}
        value={shown}
        onChange={({ target }) => onChange(Number(target.value))}
        aria-label={`Day of ${title}`}
        aria-valuetext={words[shown]}
        className="w-full accent-leaf"
      />
      <p aria-hidden="true" className="text-sm text-ink">
        {words[shown]}
      </p>
    </div>
  );
}

export const whole = (count: number) => count.toLocaleString("en-US");

const dollars = (cents: number) => formatMoney(cents).replace(/\.\d\d$/, "");

type SalesChartsProps = { byDay: Day[]; before: Day[]; today: string };

export function SalesCharts({ byDay, before, today }: SalesChartsProps) {
  const daysOf = (key: "soldCents" | "visit") =>
    byDay.map((sums, index) => ({ day: sums.day, value: sums[key], before: before[index]?.[key] ?? 0 }));
  return (
    <div key={`${byDay[0]?.day} ${byDay.length}`} className="grid gap-8 xl:grid-cols-2">
      <Section title="Sales by day" className="gap-2">
        <DayChart
          title="Sales by day, in dollars"
          days={daysOf("soldCents")}
          today={today}
          format={dollars}
          empty="No sales in this period."
        />
      </Section>
      <Section title="Visits by day" className="gap-2">
        <DayChart
          title="Visits by day"
          days={daysOf("visit")}
          today={today}
          format={whole}
          empty="No visits in this period."
        />
      </Section>
    </div>
  );
}
