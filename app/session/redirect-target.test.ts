import { expect, it } from "vitest";
import { redirectTarget } from "./redirect-target.ts";

it.each([
  ["/checkout", "/checkout"],
  ["/account?tab=orders#top", "/account?tab=orders#top"],
  ["/shop?color=Earth%20Green", "/shop?color=Earth%20Green"],
  [null, "/"],
  ["", "/"],
  ["checkout", "/"],
  ["https://elsewhere.example/", "/"],
  ["//elsewhere.example/", "/"],
  ["/\\elsewhere.example/", "/"],
  ["/\t/elsewhere.example/", "/"],
  ["/..//elsewhere.example/", "/"],
  ["/.//elsewhere.example", "/"],
  ["javascript:alert(1)", "/"],
  ["/%2f%2felsewhere.example", "/%2f%2felsewhere.example"],
])("%s leads to %s", (wanted, target) => expect(redirectTarget(wanted)).toBe(target));
