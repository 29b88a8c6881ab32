import { expect, it } from "vitest";
import { MAX_POOL, poolSize } from "./pool-size.ts";

it.each([
  [2, 100, MAX_POOL],
  [6, 100, 9],
  [16, 100, 3],
  [20, 100, 2],
  [64, 500, 5],
])("%i web processes with %i connections have a pool of %i each", (processes, maxConnections, size) => {
  expect(poolSize(processes, maxConnections)).toBe(size);
});

it("the pools, and what each process has beside its own, leave PostgreSQL ten", () => {
  for (let processes = 1; processes <= 20; processes++) {
    expect((processes + 2) * (poolSize(processes, 100) + 2)).toBeLessThanOrEqual(90);
  }
});

it("more processes than there are connections for are refused, with both remedies", () => {
  expect(() => poolSize(21, 100)).toThrow(
    "21 web processes need 102 connections, and PostgreSQL's max_connections is 100. Set a smaller WEB_PROCESSES, or raise max_connections.",
  );
});
