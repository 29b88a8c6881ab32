import { expect, it } from "vitest";
import { effectWords } from "./effect.ts";

const COLOR = "Polara Pro Earth Green";

it.each([
  ["refund", 19_00, 0, null, "Sends nothing, pays back $19.00"],
  ["refund", 0, 0, null, "Sends nothing, pays back nothing"],
  ["replacement", 0, 0, null, "Sends the same again, pays back nothing"],
  ["replacement", 10_00, 0, COLOR, `Sends ${COLOR}, pays back $10.00`],
  ["replacement", 0, 10_00, COLOR, `Sends ${COLOR} once the customer has paid $10.00`],
  ["repair", 0, 0, null, "Sends the product back repaired, pays back nothing"],
  ["repair", 0, 25_00, null, "Sends the product back repaired once the customer has paid $25.00"],
  ["part", 0, 0, null, "Sends the part, pays back nothing"],
  ["sent-back", 0, 0, COLOR, "Sends the product back as is, pays back nothing"],
] as const)("%s, %i back, %i due, for %s: %s", (outcome, backCents, dueCents, exchangeName, words) => {
  expect(effectWords({ outcome, ok: true, backCents, byHandCents: 0, dueCents, waivedCents: 0 }, exchangeName)).toBe(
    words,
  );
});

it("says what is waived", () => {
  const effect = {
    outcome: "sent-back",
    ok: true,
    backCents: 0,
    byHandCents: 0,
    dueCents: 0,
    waivedCents: 35_00,
  } as const;
  expect(effectWords(effect, null)).toBe(
    "Sends the product back as is, waives the $35.00 that the customer has not paid",
  );
});

it.each([
  [89_00, "Sends nothing, pays back $89.00, which you send yourself"],
  [35_00, "Sends nothing, pays back $89.00, of which you send $35.00 yourself"],
])("says what staff send themselves: %i", (byHandCents, words) => {
  const effect = { outcome: "refund", ok: true, backCents: 89_00, byHandCents, dueCents: 0, waivedCents: 0 } as const;
  expect(effectWords(effect, null)).toBe(words);
});
