/** Chance that can be repeated: the same seed gives the same shop. */
export type Chance = ReturnType<typeof chance>;

export function chance(seed: number) {
  let state = seed;
  /** Between 0 and 1, by mulberry32. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const digits = (count: number): string => Array.from({ length: count }, () => whole(0, 9)).join("");
  return {
    next,
    /** One of `from` to `to`, both included. */
    whole,
    digits,
    /** True in that share of cases. */
    is: (share: number): boolean => next() < share,
    pick: <T>(list: readonly T[]): T => list[whole(0, list.length - 1)]!,
    /** One of the list, the more often the more it weighs. */
    weighted<T>(list: readonly (readonly [T, number])[]): T {
      let left = next() * list.reduce((sum, [, weight]) => sum + weight, 0);
      return (list.find(([, weight]) => (left -= weight) < 0) ?? list[0]!)[0];
    },
    uuid(): string {
      const hex = Array.from({ length: 32 }, () => whole(0, 15).toString(16));
      hex[12] = "4";
      hex[16] = (8 + whole(0, 3)).toString(16);
      const text = hex.join("");
      return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-");
    },
  };
}
