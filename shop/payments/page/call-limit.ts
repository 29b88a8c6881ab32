/** The provider takes so many calls a second for one thing: whoever comes past that waits in line, and costs it no call. */
const CALLS_A_SECOND = 20;

/** At most `perSecond` calls a second, and as many at once. `now` is in milliseconds. */
export function callLimit(perSecond: number, now: () => number): () => boolean {
  let left = perSecond;
  let last = now();
  return () => {
    const time = now();
    left = Math.min(perSecond, left + ((time - last) / 1000) * perSecond);
    last = time;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}

/** For opening pages, in this process. */
export const tryCall = callLimit(CALLS_A_SECOND, () => performance.now());
