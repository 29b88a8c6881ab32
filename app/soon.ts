import { use } from "react";

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

/** Reads an answer inside a Suspense boundary. */
export function useSoon<T extends object>(answer: Soon<T>): T {
  return isLater(answer) ? use(answer.later) : answer;
}
