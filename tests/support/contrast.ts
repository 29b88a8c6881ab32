/** Contrast as it is on the screen: a text's color against the pixels behind it. */
import type { Page } from "@playwright/test";
import sharp from "sharp";

/** Red, green and blue up to 255, and how much of them there is, up to 1. */
export type Color = readonly [number, number, number, number];

/** As WCAG 2 reckons it. It runs in the browser too, so it may use nothing from outside itself. */
export function contrastRatio(one: readonly number[], other: readonly number[]): number {
  const luminance = ([r = 0, g = 0, b = 0]: readonly number[]) => {
    const linear = (channel: number) => (channel <= 10 ? channel / 3294.6 : ((channel / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  };
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

type Screen = Awaited<ReturnType<typeof pixelsOf>>;

const pixelsOf = (png: Buffer) => sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });

export type Measured = { where: string; found: number; least: number };

/** Measures the texts of these elements as the page stands, scrolled to each of them. */
export async function measureContrast(page: Page, selectors: string[]): Promise<Measured[]> {
  const measured: Measured[] = [];
  let left = await page.evaluate((all) => look.hideWords(all), selectors);
  while (left > 0) {
    const next = await page.evaluate(() => look.nextTexts());
    const screen = await pixelsOf(await page.screenshot());
    for (const { where, rects, color, least } of next.texts) {
      measured.push({ where, found: Math.min(...rects.map((box) => contrastOn(screen, box, color))), least });
    }
    left = next.left;
  }
  await page.evaluate(() => look.showWords());
  return measured;
}

type Box = { x: number; y: number; width: number; height: number };

/** Five pixels of a hundred may be a picture's noise; the worst of the others counts. Nothing to see is no contrast. */
function contrastOn(screen: Screen, { x, y, width, height }: Box, [r, g, b, a]: Color): number {
  const pixels = new Map<number, number>();
  let all = 0;
  for (let row = Math.max(0, Math.round(y)); row < Math.min(screen.info.height, y + height); row++) {
    for (let column = Math.max(0, Math.round(x)); column < Math.min(screen.info.width, x + width); column++) {
      const color = screen.data.readUIntBE((row * screen.info.width + column) * 3, 3);
      pixels.set(color, (pixels.get(color) ?? 0) + 1);
      all++;
    }
  }
  const ratios = [...pixels].map(([color, count]) => {
    const pixel = [color >> 16, (color >> 8) & 255, color & 255];
    const text = [r, g, b].map((channel, i) => channel * a + (pixel[i] ?? 0) * (1 - a));
    return { count, ratio: contrastRatio(text, pixel) };
  });
  let noise = all / 20;
  return ratios.toSorted((one, other) => one.ratio - other.ratio).find(({ count }) => (noise -= count) < 0)?.ratio ?? 0;
}
