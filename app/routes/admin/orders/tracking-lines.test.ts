import { expect, it } from "vitest";
import { readTrackingLines } from "./tracking-lines.ts";

const ids = ["8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f750", "00000000-5d7e-4b19-9c04-2e6ab1d3f750"];

it("reads an order's number and its tracking number, with blanks in it and blank lines between", () => {
  expect(readTrackingLines("8F3A61C2 1Z 999 AA1\n\n #00000000, 9400", [])).toEqual({
    ok: true,
    lines: [
      { text: "8F3A61C2 1Z 999 AA1", number: "8f3a61c2", tracking: "1Z 999 AA1" },
      { text: "#00000000, 9400", number: "00000000", tracking: "9400" },
    ],
  });
});

it("gives numbers without an order to those that are chosen, in their order", () => {
  const read = readTrackingLines("986578788855\n986578788856", ids);
  expect(read.ok && read.lines.map(({ orderId, tracking }) => [orderId, tracking])).toEqual([
    [ids[0], "986578788855"],
    [ids[1], "986578788856"],
  ]);
});

it("refuses nothing, too much, and a number for no order", () => {
  for (const typed of [" \n", Array.from({ length: 51 }, () => "8f3a61c2 1Z").join("\n"), "986578788855"])
    expect(readTrackingLines(typed, [])).toMatchObject({ ok: false });
});
