import { useSyncExternalStore } from "react";

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

/**
 * What `read` makes of the time, once a second, from one timer for the whole page. The server and
 * the first render in the browser see `atFirst`, so that hydration finds what it was sent.
 */
export function useClock<T extends string | number | boolean | null>(read: (now: number) => T, atFirst: T): T {
  return useSyncExternalStore(
    subscribe,
    () => read(Date.now()),
    () => atFirst,
  );
}
