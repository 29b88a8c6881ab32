import { describe, expect, it } from "vitest";
import { earliestEnd, publicCache } from "./cache-headers.ts";

const inSeconds = (seconds: number) => ({ earlyBirdEndDate: new Date(Date.now() + seconds * 1000) });
const headerOf = (...seconds: number[]) => publicCache(earliestEnd(seconds.map(inSeconds)))["Cache-Control"];

describe("a page with an early-bird price", () => {
  it("is cached until the first of its prices ends", () => {
    expect(headerOf(40.5, 400)).toBe("public, max-age=0, s-maxage=40, stale-while-revalidate=0");
    expect(headerOf(100.5)).toBe("public, max-age=0, s-maxage=60, stale-while-revalidate=40");
  });

  it("is cached until one of its products becomes available to everybody", () => {
    const opens = { earlyBirdEndDate: null, waitlistOnlyUntil: new Date(Date.now() + 30_500) };
    expect(publicCache(earliestEnd([opens, inSeconds(400)]))["Cache-Control"]).toContain("s-maxage=30,");
  });

  it("is not cached if the price ended during rendering", () => {
    expect(headerOf(-0.5)).toBe("public, max-age=0, s-maxage=0, stale-while-revalidate=0");
  });

  it("is cached like any other after the price has ended", () => {
    expect(headerOf(-11)).toBe(publicCache()["Cache-Control"]);
  });
});
