/** Charts of the analytics screen, rendered as SVG on the server. A slider below them tells the value of each bar. */
import { dayWords } from "#app/ui/admin/when.tsx";
import { Section } from "#app/ui/admin/page-head.tsx";
import { EmptyState } from "#app/ui/admin/table.tsx";
import { useId, useState } from "react";
import { useHydrated } from "#app/ui/chrome/page-state.ts";
import { formatMoney } from "#shop/money.ts";
import type { Day } from "#shop/analytics/analytics.server.ts";

type Bar = { day: string; last: string; value: number; before: number };
type ChartProps = {
  title: string;
  bars: Bar[];
  today: string;
  format: (value: number) => string;
  empty: string;
};

/** Top of the axis. Even, so that its half is a whole number too. */
function ceiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return Math.max(2, [1, 2, 4, 6, 8, 10].map((step) => step * power).find((step) => step >= value) ?? value);
}

const GAP = 0.2;

const axisDay = (day: string) => dayWords(day, { month: "short", day: "numeric" });

/** Longer periods are drawn by week. */
const MAX_DAYS = 120;
const unitOf = (days: unknown[]) => (days.length > MAX_DAYS ? "week" : "day");

/** Weeks end with the period, so that its first one may be shorter. */
function barsOf(byDay: Day[], before: Day[], key: "soldCents" | "visit"): Bar[] {
  const size = unitOf(byDay) === "week" ? 7 : 1;
  const count = Math.ceil(byDay.length / size);
  const sum = (days: Day[]) => days.reduce((all, day) => all + day[key], 0);
  return Array.from({ length: count }, (_, i) => {
    const end = byDay.length - (count - 1 - i) * size;
    const range = [Math.max(0, end - size), end] as const;
    const days = byDay.slice(...range);
    return { day: days[0]!.day, last: days.at(-1)!.day, value: sum(days), before: sum(before.slice(...range)) };
  });
}

function BarChart({ title, bars, today, format, empty }: ChartProps) {
  const id = useId();
  const isHydrated = useHydrated();
  const [shown, setShown] = useState(bars.length - 1);
  const most = Math.max(...bars.map(({ value }) => value));
  const top = ceiling(most);
  const [first, last] = [bars[0], bars.at(-1)];
  const partial = (bar: Bar) => (bar.last === today ? ", partial" : "");
  const when = ({ day, last: end }: Bar) => (day === end ? axisDay(day) : `${axisDay(day)} to ${axisDay(end)}`);
  if (!first || !last || most <= 0) return <EmptyState>{empty}</EmptyState>;
  const labels = bars.map((bar) => `${when(bar)}: ${format(bar.value)}${partial(bar)}`);
  const words = labels.map((text, i) => `${text}. In the period before: ${format(bars[i]!.before)}.`);
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
        viewBox={`0 0 ${bars.length} ${top}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={id}
        onPointerMove={({ currentTarget, clientX }) => {
          const { left, width } = currentTarget.getBoundingClientRect();
          setShown(Math.min(bars.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * bars.length))));
        }}
        className="h-36 w-full overflow-visible"
      >
        <title id={id}>{title}</title>
        {[0, top / 2, top].map((y) => (
          <line key={y} x1={0} x2={bars.length} y1={y} y2={y} stroke="var(--color-line)" {...stroke} />
        ))}
        {bars.map(({ day, last: end, value }, i) => {
          const isOpen = end === today;
          return (
            <rect
              key={day}
              x={i + GAP / 2}
              y={top - value}
              width={1 - GAP}
              height={value}
              fill={isOpen ? "var(--color-card)" : "var(--color-leaf)"}
              fillOpacity={isHydrated && i === shown ? 0.6 : 1}
              stroke={isOpen ? "var(--color-leaf)" : "none"}
              strokeDasharray={isOpen ? "2 2" : undefined}
              {...stroke}
            >
              <title>{labels[i]}</title>
            </rect>
          );
        })}
      </svg>
      <p aria-hidden="true" className="col-start-2 flex justify-between">
        <span>{axisDay(first.day)}</span>
        <span>{axisDay(last.last) + partial(last)}</span>
      </p>
      {isHydrated && <BarSlider title={title} words={words} shown={shown} onChange={setShown} />}
    </div>
  );
}

type BarSliderProps = { title: string; words: string[]; shown: number; onChange: (bar: number) => void };

function BarSlider({ title, words, shown, onChange }: BarSliderProps) {
  return (
    <div className="col-start-2 grid">
      <input
        type="range"
        min={0}
        max={words.length - 1}
        value={shown}
        onChange={({ target }) => onChange(Number(target.value))}
        aria-label={title}
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
  const unit = unitOf(byDay);
  return (
    <div key={`${byDay[0]?.day} ${byDay.length}`} className="grid gap-8 xl:grid-cols-2">
      <Section title={`Sales by ${unit}`} className="gap-2">
        <BarChart
          title={`Sales by ${unit}, in dollars`}
          bars={barsOf(byDay, before, "soldCents")}
          today={today}
          format={dollars}
          empty="No sales in this period."
        />
      </Section>
      <Section title={`Visits by ${unit}`} className="gap-2">
        <BarChart
          title={`Visits by ${unit}`}
          bars={barsOf(byDay, before, "visit")}
          today={today}
          format={whole}
          empty="No visits in this period."
        />
      </Section>
    </div>
  );
}
