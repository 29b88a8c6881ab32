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
