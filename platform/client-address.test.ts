import { describe, expect, it } from "vitest";
import { proxyTrust } from "./client-address.ts";

const asked = (headers: Record<string, string>) => new Request("http://shop.example/", { headers });
const address = (setting: string | null, peer: string, forwarded: string) =>
  proxyTrust(setting)(asked({ "X-Forwarded-For": forwarded }), peer).address;

describe("the client address", () => {
  it.each([
    ["nobody is trusted", null, "203.0.113.9", "10.0.0.1", "203.0.113.9"],
    ["another peer than the proxy", "10.0.0.2", "203.0.113.9", "198.51.100.7", "203.0.113.9"],
    ["the proxy itself", "10.0.0.2", "10.0.0.2", "198.51.100.7", "198.51.100.7"],
    [
      "a name that the caller wrote before the proxy's",
      "loopback",
      "::ffff:127.0.0.1",
      "1.1.1.1, 198.51.100.7",
      "198.51.100.7",
    ],
    ["two proxies in a row", "10.0.0.0/8", "10.0.0.2", "198.51.100.7, 10.0.0.3", "198.51.100.7"],
    ["nonsense from the proxy", "loopback", "127.0.0.1", "unknown, <script>", "127.0.0.1"],
  ])("is found: %s", (_case, setting, peer, forwarded, expected) => {
    expect(address(setting, peer, forwarded)).toBe(expected);
  });

  it("is of plain HTTP only if a trusted proxy says so", () => {
    const plain = asked({ "X-Forwarded-Proto": "http" });
    expect(proxyTrust("loopback")(plain, "127.0.0.1").isPlain).toBe(true);
    expect(proxyTrust(null)(plain, "127.0.0.1").isPlain).toBe(false);
    expect(proxyTrust("loopback")(plain, "203.0.113.9").isPlain).toBe(false);
    expect(proxyTrust("loopback")(asked({ "X-Forwarded-Proto": "https" }), "127.0.0.1").isPlain).toBe(false);
  });
});

/** True if a request is from this machine, by TRUST_PROXY, its headers and its peer. */
const LOCAL: [isLocal: boolean, setting: string | null, headers: Record<string, string>[], peer?: string][] = [
  [true, null, hosts("localhost", "127.0.0.1", "127.9.8.7", "[::1]", "localhost:3000")],
  [true, null, hosts("localhost"), "::1"],
  [true, null, hosts("localhost"), "::ffff:127.0.0.1"],
  [false, null, hosts("evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example")],
  [false, null, hosts("127.evil.example", "192.0.2.1", "[fe80::1]", "0.0.0.0", "")],
  [false, null, hosts("localhost"), "192.168.1.5"],
  [false, null, proxied("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via")],
  [false, null, proxied("X-Forwarded-For", "Forwarded"), "192.168.1.5"],
  [true, "loopback", forwarded("127.0.0.1")],
  // A proxy that does not say for whom it asks.
  [false, "loopback", proxied("Forwarded", "X-Real-IP", "Via", "X-Forwarded-Proto")],
  [false, "loopback", forwarded("203.0.113.7", "127.0.0.1, 203.0.113.7", "::1, 2001:db8::1", "192.168.1.5, 127.0.0.1")],
];
function hosts(...names: string[]) {
  return names.map((Host) => ({ Host }));
}
function proxied(...names: string[]) {
  return names.map((name) => ({ Host: "localhost", [name]: "127.0.0.1" }));
}
function forwarded(...callers: string[]) {
  return callers.map((caller) => ({ Host: "localhost", "X-Forwarded-For": caller }));
}

it.each(
  LOCAL.flatMap(([isLocal, setting, all, peer = "127.0.0.1"]) => all.map((by) => ({ isLocal, setting, by, peer }))),
)(
  "a request with $by from $peer is from this machine, where TRUST_PROXY is $setting: $isLocal",
  ({ isLocal, setting, by, peer }) => {
    expect(proxyTrust(setting)(asked(by), peer).isLocal).toBe(isLocal);
  },
);
