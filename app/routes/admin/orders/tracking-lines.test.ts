import { expect, it } from "vitest";
import { readTrackingLines } from "./tracking-lines.ts";

const ids = ["8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f750", "00000000-5d7e-4b19-9c04-2e6ab1d3f750"];

it("reads order and tracking numbers, with blanks and blank lines", () => {
  expect(readTrackingLines("8F3A61C2 1Z 999 AA1\n\n #00000000, 9400", [])).toEqual({
    ok: true,
    lines: [
      { number: "8f3a61c2", tracking: "1Z 999 AA1" },
      { number: "00000000", tracking: "9400" },
    ],
  });
});

it("assigns numbers without an order to the chosen orders in turn", () => {
  const read = readTrackingLines("986578788855\n986578788856", ids);
  expect(read.ok && read.lines.map(({ orderId, tracking }) => [orderId, tracking])).toEqual([
    [ids[0], "986578788855"],
    [ids[1], "986578788856"],
  ]);
});

it("refuses no numbers, too many, and one for no order", () => {
  for (const typed of [" \n", Array.from({ length: 51 }, () => "8f3a61c2 1Z").join("\n"), "986578788855"])
    expect(readTrackingLines(typed, [])).toMatchObject({ ok: false });
});
