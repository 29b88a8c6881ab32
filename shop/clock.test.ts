import { afterEach, expect, it, vi } from "vitest";
import { clock, followServer, setClockOffset } from "./clock.ts";

afterEach(() => {
  vi.useRealTimers();
  setClockOffset(0);
});

const SERVER = "2026-11-28T12:00:00.000Z";

it.each([
  ["of 2019", "2019-01-01T00:00:00.000Z", 0, SERVER],
  ["of 2031", "2031-06-18T08:00:00.000Z", 0, SERVER],
  ["that is an hour fast", "2026-11-28T13:00:00.000Z", 0, "2026-11-28T13:00:00.000Z"],
  ["that is right, in a trial of another day", "2026-11-08T12:00:00.000Z", 20, SERVER],
  ["of 2019, in a trial of another day", "2019-01-01T00:00:00.000Z", 20, SERVER],
])("the browser of a device %s counts by the server's date, and by no smaller error", (_name, device, days, shown) => {
  vi.useFakeTimers({ now: new Date(device) });
  setClockOffset(days * 86_400_000);
  followServer(Date.parse(SERVER));
  expect(clock.now().toISOString()).toBe(shown);
});
