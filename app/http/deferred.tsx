import { Suspense, use, type ReactNode } from "react";

const BLINK_MS = 150;

/** A loader's answer, or, where that takes longer than a blink, the promise of it. */
export type Soon<T> = T | { later: Promise<T> };

/**
 * For client loaders: a quick answer is shown at once, a slow one lets the page open with its
 * skeleton, which so never flashes.
 */
export async function soon<T extends object>(answer: Promise<T>): Promise<Soon<T>> {
  const blink = new Promise<null>((done) => setTimeout(done, BLINK_MS, null));
  const first = await Promise.race([answer, blink]);
  if (first) return first;
  // Its failure is told where it is read.
  answer.catch(() => {});
  return { later: answer };
}

export function isLater<T extends object>(answer: Soon<T>): answer is { later: Promise<T> } {
  return "later" in answer;
}

type WhenHereProps<T> = {
  answer: Soon<T>;
  /** Shown until then. Give the element a new key for a new question, or the old answer stays. */
  fallback: ReactNode;
  children: (value: T) => ReactNode;
};

/**
 * Shows an answer, and its fallback until it is here. What is here already stands outside any
 * boundary: a server may send the content of a large one late, for a script to put in place.
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
