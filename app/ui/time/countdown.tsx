import { useSyncExternalStore } from "react";
import { clock } from "#shop/clock.ts";

const two = (value: number) => String(value).padStart(2, "0");

/**
 * Countdown to a time in one line, "29 Days 05 Hours …" or, if short, "29d 05h …"; removed once it is reached. Only
 * `daysLeft` shows before hydration.
 */
export function Countdown({
  endsAt,
  daysLeft,
  isShort = false,
}: {
  endsAt: Date;
  daysLeft: number;
  isShort?: boolean;
}) {
  const end = endsAt.getTime();
  const left = useClock((now) => Math.max(0, Math.ceil((end - now) / 1000)), null);
  if (left === 0) return null;
  const seconds = left ?? daysLeft * 86_400;
  const parts = [
    { label: "Days", value: Math.floor(seconds / 86_400) },
    { label: "Hours", value: Math.floor(seconds / 3600) % 24 },
    { label: "Minutes", value: Math.floor(seconds / 60) % 60 },
    { label: "Seconds", value: seconds % 60 },
  ];
  return (
    <div role="timer" aria-live="off" className={`flex flex-wrap tabular-nums ${isShort ? "gap-x-1" : "gap-x-2"}`}>
      {parts.map(({ label, value }, i) => (
        // Before hydration the smaller parts only reserve their space.
        <span key={label} className={`whitespace-nowrap ${left === null && i > 0 ? "invisible" : ""}`}>
          <span className={isShort ? undefined : "font-semibold text-ink"}>{two(value)}</span>
          {isShort ? (
            <abbr title={label} className="no-underline">
              {label.charAt(0).toLowerCase()}
            </abbr>
          ) : (
            <span>{` ${label}`}</span>
          )}
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
