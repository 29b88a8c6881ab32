import { useSyncExternalStore } from "react";

type CountdownProps = {
  endsAt: Date;
  variant?: "tiles" | "inline";
};

const two = (value: number) => String(value).padStart(2, "0");

/** Countdown to a time; removed once it is reached. */
export function Countdown({ endsAt, variant = "tiles" }: CountdownProps) {
  const end = endsAt.getTime();
  const left = useClock((now) => Math.max(0, Math.ceil((end - now) / 1000)), null);
  if (left === 0) return null;
  const seconds = left ?? 0;
  const parts = [
    { label: "Days", short: "d", value: Math.floor(seconds / 86_400) },
    { label: "Hours", short: "h", value: Math.floor(seconds / 3600) % 24 },
    { label: "Minutes", short: "m", value: Math.floor(seconds / 60) % 60 },
    { label: "Seconds", short: "s", value: seconds % 60 },
  ];
  // Digits before hydration only reserve the space.
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

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function tick() {
  timer = setTimeout(tick, 1000 - (Date.now() % 1000));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  if (listeners.size === 1) timer = setTimeout(tick, 1000 - (Date.now() % 1000));
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearTimeout(timer);
  };
}

/** A value derived from the time by `read`, once a second from one timer. Server and hydration use `atFirst`. */
export function useClock<T extends string | number | boolean | null>(read: (now: number) => T, atFirst: T): T {
  return useSyncExternalStore(
    subscribe,
    () => read(Date.now()),
    () => atFirst,
  );
}
