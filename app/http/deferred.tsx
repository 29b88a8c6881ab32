import { Suspense, use, type ReactNode } from "react";

const BLINK_MS = 150;

/** The data of a loader or, where they take longer than BLINK_MS, a promise of them. */
export type Soon<T> = T | { later: Promise<T> };

/**
 * For client loaders: data that come quickly are shown at once, slow ones let the page open with its skeleton. So a
 * skeleton never only flashes.
 */
export async function soon<T extends object>(answer: Promise<T>): Promise<Soon<T>> {
  const blink = new Promise<null>((done) => setTimeout(done, BLINK_MS, null));
  const first = await Promise.race([answer, blink]);
  if (first) return first;
  // Whoever reads the promise gets its error.
  answer.catch(() => {});
  return { later: answer };
}

export function isLater<T extends object>(answer: Soon<T>): answer is { later: Promise<T> } {
  return "later" in answer;
}

type WhenHereProps<T> = {
  answer: Soon<T>;
  /** Shown until the data are here. Data of another page need another key on the element, or the old ones stay. */
  fallback: ReactNode;
  children: (value: T) => ReactNode;
};

/**
 * Shows deferred data, and `fallback` until they are here. Data that are here already are rendered outside of Suspense:
 * a server may send the content of a large boundary late, to be put in place by a script.
 */
export function WhenHere<T extends object>({ answer, fallback, children }: WhenHereProps<T>) {
  if (!isLater(answer)) return children(answer);
  return (
    <Suspense fallback={fallback}>
      <Read later={answer.later}>{children}</Read>
    </Suspense>
  );
}

function Read<T>({ later, children }: { later: Promise<T>; children: (value: T) => ReactNode }) {
  return children(use(later));
}
