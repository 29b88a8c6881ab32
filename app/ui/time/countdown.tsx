import { useEffect, useEffectEvent } from "react";
import { useClock } from "./clock.ts";

type CountdownProps = {
  endsAt: Date;
  onExpire?: () => void;
  variant?: "tiles" | "inline";
};

const two = (value: number) => String(value).padStart(2, "0");

/** Days, hours, minutes and seconds to a moment; gone once it has come. */
export function Countdown({ endsAt, onExpire, variant = "tiles" }: CountdownProps) {
  const end = endsAt.getTime();
  const left = useClock((now) => Math.max(0, Math.ceil((end - now) / 1000)), null);
  const expire = useEffectEvent(() => onExpire?.());

  useEffect(() => {
    if (left === 0) expire();
  }, [left]);

  if (left === 0) return null;
  const seconds = left ?? 0;
  const parts = [
    { label: "Days", short: "d", value: Math.floor(seconds / 86_400) },
    { label: "Hours", short: "h", value: Math.floor(seconds / 3600) % 24 },
    { label: "Minutes", short: "m", value: Math.floor(seconds / 60) % 60 },
    { label: "Seconds", short: "s", value: seconds % 60 },
  ];
  // Until the browser knows the time, the digits are there only for their size.
  const digits = left === null ? "invisible" : "";

  if (variant === "inline") {
    return (
      <span role="timer" aria-live="off" className={`whitespace-nowrap tabular-nums ${digits}`}>
        {parts.map(({ short, value }) => `${two(value)}${short}`).join(" ")}
      </span>
    );
  }
  return (
    <div role="timer" aria-live="off" className="grid w-full max-w-88 grid-cols-4 gap-2">
      {parts.map(({ label, value }) => (
        <span key={label} className="grid justify-items-center rounded-[10px] bg-card px-1 py-2.5">
          <span className={`text-2xl leading-none font-semibold tabular-nums ${digits}`}>{two(value)}</span>
          <span className="mt-1.5 text-xs text-ink-soft">{label}</span>
        </span>
      ))}
    </div>
  );
}
