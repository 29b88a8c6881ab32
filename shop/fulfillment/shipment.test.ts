import { expect, it } from "vitest";
import { CARRIER_CODES, CARRIERS, readTrackingNumber, trackingUrl } from "./shipment.ts";

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
] as const)("%s has the number %s", (carrier, typed, number: string = typed) => {
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
] as const)("%s has no number %s", (carrier, typed) => {
  expect(readTrackingNumber(carrier, typed)).toBeNull();
});

it.each(CARRIER_CODES)("what %s shows for its example is a page of its own", (carrier) => {
  const { example, track } = CARRIERS[carrier];
  expect(readTrackingNumber(carrier, example)).toBe(example);
  const url = new URL(trackingUrl(carrier, example));
  expect(url.protocol).toBe("https:");
  expect(url.hostname).toMatch(new RegExp(`${carrier}\\.com$`));
  expect(url.href).toBe(track + example);
});
