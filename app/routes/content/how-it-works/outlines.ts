/**
 * Outlines of the parts in the picture pro-earth-green-exploded, in percent of its sides, and the way that each is below its
 * place while the bowl is closed. A new picture needs new ones: outlines.test.ts compares them.
 */

type Point = readonly [x: number, y: number];

/** The view is symmetrical, so a contour is its left half, from the edge to the middle. */
const whole = (left: readonly Point[]): Point[] => [...left, ...left.map(([x, y]): Point => [100 - x, y]).toReversed()];

const lidTop: readonly Point[] = [
  [17, 37.3],
  [17, 35.1],
  [17.3, 34.4],
  [17.9, 33.6],
  [19.5, 32.6],
  [22.9, 31.4],
  [27.4, 30.2],
  [31.4, 29.4],
  [37.7, 28.5],
];
const lidBottom: readonly Point[] = [
  [17, 37.3],
  [17.4, 38.3],
  [18, 38.9],
  [20.2, 40.1],
  [25, 41.7],
  [29.5, 42.8],
  [37.5, 43.9],
  [44, 44.4],
  [50, 44.5],
];
/** The edge of the filter's hole that is nearer to the camera. */
const holeFront: readonly Point[] = [
  [37.7, 30.7],
  [38.6, 31.4],
  [41.3, 32.1],
  [45.3, 32.5],
  [50, 32.6],
];
const filterTop: readonly Point[] = [
  [39.2, 21.8],
  [39.2, 18.7],
  [38.8, 18.3],
  [38.8, 17.1],
  [39.4, 16.6],
  [41.3, 16.2],
  [50, 15.8],
];
const filterBottom: readonly Point[] = [
  [39.3, 21.8],
  [40.1, 22.2],
  [42.5, 22.6],
  [50, 22.8],
];
const rim: readonly Point[] = [
  [0, 52.4],
  [18.2, 52.4],
  [18.2, 52],
  [18.8, 51.2],
  [20, 50.1],
  [22.7, 48.7],
  [29.6, 46.8],
  [36.7, 45.7],
  [42.3, 45.2],
  [50, 45],
];

const LID_DOWN = 12.8;
const FILTER_DOWN = 25.8;

/** From back to front: the filter enters the lid, so the lid's front is before it. */
export const layers: readonly { name: string; outline: readonly Point[]; down: number }[] = [
  { name: "bowl", outline: [...whole(rim), [100, 100], [0, 100]], down: 0 },
  {
    name: "lid",
    outline: [...whole([...lidTop, [44, 28], [50, 27.9]]), ...whole(lidBottom).toReversed()],
    down: LID_DOWN,
  },
  { name: "filter", outline: [...whole(filterTop), ...whole(filterBottom).toReversed()], down: FILTER_DOWN },
  {
    name: "lid's front",
    outline: [...whole([...lidTop, ...holeFront]), ...whole(lidBottom).toReversed()],
    down: LID_DOWN,
  },
];

export const polygon = (outline: readonly Point[]): string =>
  `polygon(${outline.map(([x, y]) => `${Number(x.toFixed(1))}% ${y}%`).join(",")})`;
