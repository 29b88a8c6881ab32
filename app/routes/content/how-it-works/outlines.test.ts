import sharp from "sharp";
import { expect, it } from "vitest";
import { layers } from "./outlines.ts";

const PICTURE = "public/images/pro-earth-green-exploded-800.webp";
/** Distance from an outline, in percent of the picture. */
const BESIDE = 0.9;
/** Difference of a part from the paper behind it, in one of three channels of 8 bits. */
const VISIBLE = 12;

it.each(layers.filter(({ name }) => name !== "lid's front"))(
  "the outline of the $name fits the picture",
  async (layer) => {
    const { data, info } = await sharp(PICTURE).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const colorAt = (x: number, y: number) => {
      const [column, line] = [x, y].map((percent) => Math.round((percent / 100) * (info.width - 1)));
      return [...data.subarray((line! * info.width + column!) * 3).subarray(0, 3)];
    };
    const isPart = (x: number, y: number) => {
      const paper = colorAt(6, y);
      return colorAt(x, y).some((channel, i) => Math.abs(channel - paper[i]!) > VISIBLE);
    };

    const { outline } = layer;
    const fits = outline.flatMap(([x, y], i) => {
      const [nextX, nextY] = outline[(i + 1) % outline.length]!;
      const [width, height] = [nextX - x, nextY - y];
      const length = Math.hypot(width, height);
      // The paper around the bowl belongs to its layer.
      if (length === 0 || [x, nextX].some((at) => at === 0 || at === 100)) return [];
      // Outlines run clockwise.
      const [middleX, middleY] = [x + width / 2, y + height / 2];
      const [outX, outY] = [(height / length) * BESIDE, (-width / length) * BESIDE];
      return [isPart(middleX - outX, middleY - outY), !isPart(middleX + outX, middleY + outY)];
    });
    expect(fits.length).toBeGreaterThan(20);
    expect(fits.filter(Boolean).length / fits.length).toBeGreaterThan(0.85);
  },
);
