import { expect, it } from "vitest";
import { readReplyAddress, replyAddress } from "./reply-address.server.ts";

const id = "8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f750";
const inbox = "support@shop.example";
const shop = { baseUrl: "https://shop.example", secret: "a secret of this test", inbox: { address: inbox } };
const made = replyAddress({ kind: "message", id }, shop)!;
const read = (address: string, ...secrets: string[]) =>
  readReplyAddress(address, inbox, ["new", shop.secret, ...secrets]);

it("an address names its message or order, whatever mail servers do to its case, and fits into one", () => {
  expect(made).toMatch(/^support\+m8f3a61c25d7e4b199c042e6ab1d3f750[0-9a-f]{16}@shop\.example$/);
  expect(made.split("@")[0]!.length).toBeLessThanOrEqual(64);
  expect(read(made.toUpperCase())).toEqual({ kind: "message", id });
  expect(read(replyAddress({ kind: "order", id }, shop)!)).toEqual({ kind: "order", id });
});

it("there is none without an inbox", () => {
  expect(replyAddress({ kind: "order", id }, { ...shop, inbox: null })).toBeNull();
});

it.each([
  ["of another kind", made.replace("+m", "+o")],
  ["of another id", made.replace("8f3a", "8f3b")],
  ["with another signature", made.replace(/.@/, (end) => (end === "0@" ? "1@" : "0@"))],
  ["cut short", made.replace(/.@/, "@")],
  ["without a token", "support+@shop.example"],
  ["with a tag of somebody's own", "support+sale@shop.example"],
])("one %s is forged", (_what, address) => {
  expect(read(address)).toBe("forged");
});

it("one that another secret signed is forged", () => {
  expect(readReplyAddress(made, inbox, ["another"])).toBe("forged");
});

it.each([
  "support@shop.example",
  "ada@example.com",
  made.replace("shop.", "evil."),
  made.replace("support", "s"),
  "",
  "@",
])("%s is no address with a token", (address) => {
  expect(read(address)).toBeNull();
});
