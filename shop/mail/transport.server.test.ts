import { networkInterfaces } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { startMailServer } from "#tests/support/mail-server.ts";
import { smtpOptions, smtpTransport } from "./outbox.server.ts";

const email = { to: "ada@example.com", subject: "Hello", text: "Hello", html: "<p>Hello</p>" };
const lan = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && !one.internal && one.family === "IPv4")?.address;

async function deliverBy(url: string, sent: typeof email & { replyTo?: string }): Promise<void> {
  const transport = await smtpTransport(url, { baseUrl: "https://shop.example" });
  onTestFinished(() => transport.close());
  return transport.deliver("job", sent);
}

async function refusalOf(url: string): Promise<string> {
  return deliverBy(url, email).then(
    () => "delivered",
    (error: Error) => error.message,
  );
}

describe.runIf(lan)("a mail server on another machine", () => {
  it("gets nothing without TLS, and the error has the reason but no recipient", async () => {
    const server = await startMailServer();
    const refusal = await refusalOf(`smtp://${lan}:${server.port}`);
    expect(refusal).toContain("STARTTLS");
    expect(refusal).not.toContain("ada");
    expect([server.recipients, server.emails]).toEqual([[], []]);
  });

  it.each([
    ["smtp", false],
    ["smtps", true],
  ])("gets nothing with an untrusted certificate: %s", async (protocol, secure) => {
    const server = await startMailServer({ secure });
    expect(await refusalOf(`${protocol}://${lan}:${server.port}`)).toContain("certificate");
    // Parameters of the URL cannot disable the check.
    const lax = "?tls.rejectUnauthorized=false&requireTLS=false&ignoreTLS=true&secure=false";
    expect(await refusalOf(`${protocol}://${lan}:${server.port}/${lax}`)).toContain("certificate");
    expect([server.recipients, server.emails]).toEqual([[], []]);
  });
});

it("line ends in a subject or sender add no header and no recipient", async () => {
  const server = await startMailServer();
  const bcc = "\r\nBcc: everyone@example.com\r\n";
  await deliverBy(server.url, { ...email, subject: `Hello${bcc}`, replyTo: `ben@example.com${bcc}` });
  expect(server.recipients).toEqual(["ada@example.com"]);
  const [head = ""] = server.emails.join("").split("\r\n\r\n");
  expect(head).toMatch(/^Subject: Hello/m);
  expect(head).not.toMatch(/^Bcc:/im);
});

it("a local mail server needs no TLS", async () => {
  const server = await startMailServer();
  expect(await refusalOf(server.url)).toBe("delivered");
  expect(server.recipients).toEqual(["ada@example.com"]);
});

it.each([
  ["smtp://mail.example", { host: "mail.example", port: 587, secure: false, requireTLS: true, auth: undefined }],
  ["smtps://mail.example", { host: "mail.example", port: 465, secure: true, requireTLS: true, auth: undefined }],
  ["smtp://[2001:db8::1]:25", { host: "2001:db8::1", port: 25, requireTLS: true }],
  [
    "smtp://me%40shop.example:p%3Ass@mail.example:2525",
    { port: 2525, auth: { user: "me@shop.example", pass: "p:ss" } },
  ],
  ["smtp://localhost", { host: "localhost", port: 587, requireTLS: false }],
  ["smtp://[::1]:25", { host: "::1", requireTLS: false }],
  ["smtp://localhost.mail.example", { requireTLS: true }],
  ["smtps://localhost", { secure: true }],
])("%s", (url, options) => {
  expect(smtpOptions(url)).toMatchObject({ ...options, tls: { minVersion: "TLSv1.2", rejectUnauthorized: true } });
});
