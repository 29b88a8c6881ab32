import { expect, it } from "vitest";
import { newYorkDay } from "#shop/new-york-time.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { CARRIER_CODES, CARRIERS, lastReturnDay, readTrackingNumber, trackingUrl } from "./shipment.ts";

it.each([
  ["ups", "1Z999AA10123456784"],
  ["ups", " 1z 999 aa1 0123 4567 84 ", "1Z999AA10123456784"],
  ["usps", "9400 1118 9922 3197 4284 90", "9400111899223197428490"],
  ["usps", "92055901755477000000"],
  ["usps", "LZ123456789US"],
  ["fedex", "9865-7878-8855", "986578788855"],
  ["fedex", "123456789012345"],
  ["fedex", "61299998820821171811"],
  ["dhl", "3392654392"],
  ["dhl", "JJD014600003889000000"],
] as const)("%s accepts %s", (carrier, typed, number: string = typed) => {
  expect(readTrackingNumber(carrier, typed)).toBe(number);
});

it.each([
  ["ups", ""],
  ["ups", "1Z999AA1012345678"],
  ["ups", "1Z999AA101234567840"],
  ["ups", "986578788855"],
  ["ups", "1Z999AA1012345678?"],
  ["usps", "1Z999AA10123456784"],
  ["usps", "8400111899223197428490"],
  ["usps", "LZ123456789DE"],
  ["fedex", "98657878885"],
  ["fedex", "1Z999AA10123456784"],
  ["dhl", "339265439"],
  ["dhl", "9400111899223197428490"],
] as const)("%s refuses %s", (carrier, typed) => {
  expect(readTrackingNumber(carrier, typed)).toBeNull();
});

it.each(CARRIER_CODES)("%s tracks its example number on its own site", (carrier) => {
  const { example, track } = CARRIERS[carrier];
  expect(readTrackingNumber(carrier, example)).toBe(example);
  const url = new URL(trackingUrl(carrier, example));
  expect(url.protocol).toBe("https:");
  expect(url.hostname).toMatch(new RegExp(`${carrier}\\.com$`));
  expect(url.href).toBe(track + example);
});

it("the return period is counted in New York days, also over a clock change", () => {
  const { returns } = FIRST_SETTINGS;
  for (const delivered of ["2026-10-20T12:00:00Z", "2026-11-01T04:30:00Z", "2026-02-20T23:59:59Z"]) {
    const last = Date.parse(lastReturnDay(new Date(delivered), returns));
    expect((last - Date.parse(newYorkDay(new Date(delivered)))) / 86_400_000).toBe(returns.returnDays);
  }
});
