import { expect, it } from "vitest";
import { poolSize } from "./pool-size.ts";

it.each([
  [2, 100, 10],
  [6, 100, 9],
  [16, 100, 3],
  [20, 100, 2],
  [64, 500, 5],
])("%i web processes with %i connections have a pool of %i each, and leave PostgreSQL ten", (processes, max, size) => {
  expect(poolSize(processes, max)).toBe(size);
  expect((processes + 2) * (size + 2)).toBeLessThanOrEqual(max - 10);
});

it("too many processes for the connections are refused, with both remedies", () => {
  expect(() => poolSize(21, 100)).toThrow(
    "21 web processes need 102 connections, and PostgreSQL's max_connections is 100. Set a smaller WEB_PROCESSES, or raise max_connections.",
  );
});
