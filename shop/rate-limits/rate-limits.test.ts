import { expect, it } from "vitest";
import { networkOf, networksAround } from "./rate-limits.server.ts";

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["64:ff9b::192.0.2.33", "64:ff9b:0:0::/64"],
  ["", ""],
])("%s counts as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it.each([
  ["192.0.2.7", ["192.0.2.7 1"]],
  ["2001:db8:1:23ff::/64", ["2001:db8:1:23ff::/64 1", "2001:db8:1:2300::/56 4", "2001:db8:1::/48 16"]],
  ["2001:db8:0:7::/64", ["2001:db8:0:7::/64 1", "2001:db8:0:0::/56 4", "2001:db8:0::/48 16"]],
  ["", [" 1"]],
])("the networks around %s and their shares", (network, around) => {
  expect(networksAround(network).map(({ subject, times }) => `${subject} ${times}`)).toEqual(around);
});
