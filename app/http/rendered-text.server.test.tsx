import type { MDXContent } from "mdx/types.js";
import type { ComponentType } from "react";
import { expect, it } from "vitest";
import { renderText } from "./rendered-text.server.tsx";

type Props = { components: { FactTable: ComponentType<object> } };

const decades = { from: 0.01, to: 1000, isLog: true };
const limit = { from: 30, to: 60, isLimit: true };

it.each([
  ["10–100", decades, [[60, 20]]],
  ["under 0.1", decades, [[0, 20]]],
  ["over 100", decades, [[80, 20]]],
  ["5–10", { from: 0, to: 80 }, [[6.25, 6.25]]],
  [
    "45°F",
    limit,
    [
      [0, 50],
      [50, 0],
      [50, 50],
    ],
  ],
  [
    "45–48°F",
    limit,
    [
      [0, 50],
      [50, 10],
      [60, 40],
    ],
  ],
])("%s on a scale is drawn from and as wide as, in percent", (figure, scale, parts) => {
  const text = (({ components: { FactTable } }: Props) => (
    <FactTable {...{ caption: "Facts", head: ["What", "Figure"], rows: [["Apple", figure]], scale }} />
  )) as unknown as MDXContent;
  const drawn = [...renderText(text).html.matchAll(/left:([\d.e-]+)%;width:([\d.e-]+)%/g)];
  expect(
    drawn.map(([, left, width]) => [Number(left), Number(width)].map((one) => Math.round(one * 100) / 100)),
  ).toEqual(parts);
});
