import { useSyncExternalStore } from "react";
import { clock } from "#shop/clock.ts";

const two = (value: number) => String(value).padStart(2, "0");

/** Countdown to a time in one line; removed once it is reached. */
export function Countdown({ endsAt }: { endsAt: Date }) {
  const end = endsAt.getTime();
  const left = useClock((now) => Math.max(0, Math.ceil((end - now) / 1000)), null);
  if (left === 0) return null;
  const seconds = left ?? 0;
  const parts = [
    { label: "Days", value: Math.floor(seconds / 86_400) },
    { label: "Hours", value: Math.floor(seconds / 3600) % 24 },
    { label: "Minutes", value: Math.floor(seconds / 60) % 60 },
    { label: "Seconds", value: seconds % 60 },
  ];
  // Digits before hydration only reserve the space.
  return (
    <div
      role="timer"
      aria-live="off"
      className={`flex flex-wrap gap-x-2 tabular-nums ${left === null ? "invisible" : ""}`}
    >
      {parts.map(({ label, value }) => (
        <span key={label} className="whitespace-nowrap">
          <span className="font-semibold text-ink">{two(value)}</span> <span>{label}</span>
        </span>
      ))}
    </div>
  );
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function tick() {
  timer = setTimeout(tick, 1000 - (clock.now().getTime() % 1000));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  if (listeners.size === 1) timer = setTimeout(tick, 1000 - (clock.now().getTime() % 1000));
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearTimeout(timer);
  };
}

/** A value derived from the time by `read`, once a second from one timer. Server and hydration use `atFirst`. */
export function useClock<T extends string | number | boolean | null>(read: (now: number) => T, atFirst: T): T {
  return useSyncExternalStore(
    subscribe,
    () => read(clock.now().getTime()),
    () => atFirst,
  );
}
