import { expect, it, vi } from "vitest";
import { allowedOrigins, fetchOnly } from "./outbound.ts";

it.each([
  ["nobody where Google is not set up", null, []],
  [
    "Google's own hosts",
    { issuer: "https://accounts.google.com" },
    ["https://accounts.google.com", "https://oauth2.googleapis.com", "https://www.googleapis.com"],
  ],
  ["the provider in Google's place", { issuer: "https://id.example/realm" }, ["https://id.example"]],
])("may call %s", (_case, google, origins) => {
  expect(allowedOrigins(google)).toEqual(origins);
});

it("calls nobody else, and follows no redirect", async () => {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response());
  const guarded = fetchOnly(["https://id.example"], fetch);
  for (const other of [
    "https://evil.example/",
    "http://id.example/",
    "https://id.example:8443/",
    "https://id.example@evil.example/",
    "http://169.254.169.254/latest/meta-data",
  ]) {
    await expect(guarded(other)).rejects.toThrow("and not");
    await expect(guarded(new URL(other))).rejects.toThrow("and not");
    await expect(guarded(new Request(other.replace("id.example@", "")))).rejects.toThrow("and not");
  }
  expect(fetch).not.toHaveBeenCalled();
  for (const [asked, done] of [
    [undefined, "error"],
    ["follow", "error"],
    ["manual", "manual"],
  ] as const) {
    await guarded("https://id.example/keys", asked && { redirect: asked });
    expect(fetch.mock.lastCall?.[1]?.redirect).toBe(done);
  }
});
