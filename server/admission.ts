/** Bounds how many requests are worked on at once, so that nobody waits long only to be refused. */

/** About what the shop answers in two seconds, and well within the five that a request waits for a connection. */
export const MAX_UNDERWAY = 1_000;

/** Does the work, or what is done instead while `max` others are under way. */
export type Admit = <Result>(work: () => Promise<Result>, instead: () => Result) => Promise<Result>;

export function admission(max: number): Admit {
  let underway = 0;
  return async (work, instead) => {
    if (underway >= max) return instead();
    underway++;
    try {
      return await work();
    } finally {
      underway--;
    }
  };
}
