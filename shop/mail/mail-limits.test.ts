import { expect, it } from "vitest";
import { inboxOf, isInboxLimit, mailLimits } from "./mail-limits.ts";

it.each([
  ["ada@example.com", "ada@example.com"],
  [" Ada@Example.COM", "ada@example.com"],
  ["ada+shop@example.com", "ada@example.com"],
  ["ada+a+b@example.com", "ada@example.com"],
  ["a.d.a@example.com", "a.d.a@example.com"],
  ["a.d.a+x@gmail.com", "ada@gmail.com"],
  ["a.da@googlemail.com", "ada@gmail.com"],
  ["+tag@example.com", "+tag@example.com"],
])("%s is counted as %s", (email, inbox) => {
  expect(inboxOf(email)).toBe(inbox);
});

it("an email counts in all, for its network and for its inbox, the widest first", () => {
  const limits = mailLimits({ to: "Ada+1@example.com", network: "192.0.2.1" });
  expect(limits.map(({ subject }) => subject)).toEqual([
    "",
    "192.0.2.1",
    "192.0.2.1",
    "ada@example.com",
    "ada@example.com",
  ]);
  expect(limits.map(isInboxLimit)).toEqual([false, false, false, true, true]);
});
