import { expect, it } from "vitest";
import { uncounted } from "#tests/support/mail-permit.ts";
import type { RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { consumeMail, inboxOf } from "./enqueue-email.server.ts";

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

it("an email counts in total, for its network and for its inbox, the widest first", async () => {
  const subjects: string[] = [];
  const full: RateLimits = {
    ...uncounted,
    async consume(limits) {
      subjects.push(...limits.map(({ subject }) => subject));
      return { limit: limits.at(-1)!, wait: 60 };
    },
  };
  const decision = await consumeMail(full, { to: "Ada+1@example.com", network: "192.0.2.1" });
  expect(decision).toEqual({ permit: null, wait: 60, isInboxFull: true });
  expect(subjects).toEqual(["", "192.0.2.1", "192.0.2.1", "ada@example.com", "ada@example.com"]);
});
