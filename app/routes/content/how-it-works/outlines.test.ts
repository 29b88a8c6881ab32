import sharp from "sharp";
import { expect, it } from "vitest";
import { layers } from "./outlines.ts";

const PICTURE = "public/images/pro-earth-green-exploded-400.webp";
const SIZE = 200;
/** Difference of a part from the paper behind it, in one of three channels of 8 bits. */
const VISIBLE = 24;

type Point = [x: number, y: number];
const outlines = layers.map(({ name, points }) => ({
  name,
  corners: points.split(" ").map((point) => point.split(",").map(Number) as Point),
}));

const isInside = ([x, y]: Point, corners: Point[]) =>
  corners.reduce((inside, [fromX, fromY], i) => {
    const [toX, toY] = corners[(i + 1) % corners.length]!;
    const crosses = fromY > y !== toY > y && x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX);
    return crosses ? !inside : inside;
  }, false);

it("the outlines hold the parts in the picture, and little paper", async () => {
  const data = await sharp(PICTURE).resize(SIZE).removeAlpha().raw().toBuffer();
  const colorAt = (column: number, line: number) => [...data.subarray((line * SIZE + column) * 3).subarray(0, 3)];
  const pixels = Array.from({ length: SIZE ** 2 }, (_, i) => {
    const [column, line] = [i % SIZE, Math.floor(i / SIZE)];
    const paper = colorAt(SIZE * 0.06, line);
    const at: Point = [((column + 0.5) / SIZE) * 100, ((line + 0.5) / SIZE) * 100];
    return {
      isPart: colorAt(column, line).some((channel, c) => Math.abs(channel - paper[c]!) > VISIBLE),
      names: outlines.filter(({ corners }) => isInside(at, corners)).map(({ name }) => name),
    };
  });

  const parts = pixels.filter(({ isPart }) => isPart);
  expect(parts.filter(({ names }) => names.length === 0).length / parts.length).toBeLessThan(0.02);
  for (const { name } of layers.slice(1)) {
    const held = pixels.filter(({ names }) => names.includes(name));
    expect(held.filter(({ isPart }) => isPart).length / held.length, name).toBeGreaterThan(0.75);
  }
});
