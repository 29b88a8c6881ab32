import { expect, it, vi } from "vitest";
import { allowedOrigins, fetchOnly } from "./outbound.ts";

const client = { by: "google" as const, clientId: "id", clientSecret: "secret" };
const nobody = { google: null, payments: null, payPal: null, carriers: null, baseUrl: "http://localhost:3000" };
const from = { name: "", line1: "", line2: "", city: "", state: "", postalCode: "", phone: "" };
const easypost = { by: "easypost" as const, apiKey: "key", webhookSecret: null, apiUrl: null, from };
const stripe = { by: "stripe" as const, secretKey: "sk_test_1", webhookSecrets: [], apiUrl: null };

it.each([
  ["nobody where nothing is set up", {}, []],
  [
    "Google's own hosts",
    { google: { ...client, issuer: "https://accounts.google.com" } },
    ["https://accounts.google.com", "https://oauth2.googleapis.com", "https://www.googleapis.com"],
  ],
  [
    "the provider in Google's place",
    { google: { ...client, issuer: "https://id.example/realm" } },
    ["https://id.example"],
  ],
  [
    "nobody for the provider within",
    { google: { ...client, by: "sandbox" as const, issuer: "http://localhost:3000/g" } },
    [],
  ],
  ["Stripe where it takes the payments", { payments: stripe }, ["https://api.stripe.com"]],
  ["a sandbox in its place", { payments: { ...stripe, apiUrl: "http://127.0.0.1:4000/" } }, ["http://127.0.0.1:4000"]],
  [
    "EasyPost where it sells the labels",
    { carriers: easypost },
    [
      "https://api.easypost.com",
      "https://easypost-files.s3.us-west-2.amazonaws.com",
      "https://easypost-files.s3-us-west-2.amazonaws.com",
    ],
  ],
  ["its sandbox", { carriers: { ...easypost, apiUrl: "http://127.0.0.1:4000/" } }, ["http://127.0.0.1:4000"]],
  [
    "PayPal beside Stripe",
    {
      payments: stripe,
      payPal: { clientId: "id", secret: "secret", webhookId: null, apiUrl: "https://api-m.paypal.com" },
    },
    ["https://api.stripe.com", "https://api-m.paypal.com"],
  ],
  ["itself for the sandbox within", { payments: { by: "sandbox" as const } }, ["http://localhost:3000"]],
])("may call %s", (_case, config, origins) => {
  expect(allowedOrigins({ ...nobody, ...config })).toEqual(origins);
});

it("ends a call without an answer, whatever its caller waits for", async () => {
  const limit = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
  const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response());
  const guarded = fetchOnly(["https://id.example"], fetch);
  const caller = new AbortController();
  await guarded("https://id.example/");
  await guarded("https://id.example/", { signal: new AbortController().signal });
  await guarded("https://id.example/", { signal: caller.signal });
  const areOver = () => fetch.mock.calls.map(([, init]) => init?.signal?.aborted);
  expect(areOver()).toEqual([false, false, false]);
  caller.abort();
  expect(areOver()).toEqual([false, false, true]);
  limit.abort();
  expect(areOver()).toEqual([true, true, true]);
});

it("calls no other host and follows no redirect", async () => {
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
