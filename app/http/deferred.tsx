import { Suspense, use, type ReactNode } from "react";

const BLINK_MS = 150;

/** The data of a loader or, where they take longer than BLINK_MS, a promise of them. */
export type MaybeDeferred<T> = T | { later: Promise<T> };

/**
 * For client loaders: data that come quickly are shown at once, slow ones let the page open with its skeleton. So a
 * skeleton never only flashes.
 */
export async function defer<T extends object>(data: Promise<T>): Promise<MaybeDeferred<T>> {
  const blink = new Promise<null>((done) => setTimeout(done, BLINK_MS, null));
  const first = await Promise.race([data, blink]);
  if (first) return first;
  // Whoever reads the promise gets its error.
  data.catch(() => {});
  return { later: data };
}

export function isDeferred<T extends object>(data: MaybeDeferred<T>): data is { later: Promise<T> } {
  return "later" in data;
}

type DeferredProps<T> = {
  data: MaybeDeferred<T>;
  /** Shown until the data are here. Data of another page need another key on the element, or the old ones stay. */
  fallback: ReactNode;
  children: (value: T) => ReactNode;
};

/**
 * Shows deferred data, and `fallback` until they are here. Data that are here already are rendered outside of Suspense:
 * a server may send the content of a large boundary late, to be put in place by a script.
 */
export function Deferred<T extends object>({ data, fallback, children }: DeferredProps<T>) {
  if (!isDeferred(data)) return children(data);
  return (
    <Suspense fallback={fallback}>
      <Read later={data.later}>{children}</Read>
    </Suspense>
  );
}

function Read<T>({ later, children }: { later: Promise<T>; children: (value: T) => ReactNode }) {
  return children(use(later));
}
