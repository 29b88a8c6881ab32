import { networkInterfaces } from "node:os";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, describe, expect, it } from "vitest";
import { smtpOptions, smtpTransport } from "./transport.server.ts";

const email = { to: "ada@example.com", subject: "Hello", text: "Hello", html: "<p>Hello</p>" };
const lan = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && !one.internal && one.family === "IPv4")?.address;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** An SMTP server on every address of this machine, and what it was told. */
async function mailServer(options: SMTPServerOptions): Promise<{ port: number; told: string[] }> {
  const told: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    onRcptTo({ address }, _session, done) {
      told.push(address);
      done();
    },
    onData(stream, _session, done) {
      stream.on("data", (chunk: Buffer) => told.push(chunk.toString()));
      stream.on("end", () => done());
    },
    ...options,
  });
  server.on("error", () => {});
  await new Promise<void>((ready) => server.listen(0, "0.0.0.0", ready));
  stops.push(() => new Promise((done) => server.close(done)));
  const address = server.server.address();
  return { port: typeof address === "object" && address ? address.port : 0, told };
}

async function refusalOf(url: string): Promise<string> {
  const deliver = await smtpTransport(url, { baseUrl: "https://shop.example", from: "orders@shop.example" });
  return deliver("job", email).then(
    () => "delivered",
    (error: Error) => error.message,
  );
}

describe.runIf(lan)("a mail server on another machine", () => {
  it("gets nothing where it has no TLS, and the error says why without the recipient", async () => {
    const server = await mailServer({ disabledCommands: ["AUTH", "STARTTLS"] });
    const refusal = await refusalOf(`smtp://${lan}:${server.port}`);
    expect(refusal).toContain("STARTTLS");
    expect(refusal).not.toContain("ada");
    expect(server.told).toEqual([]);
  });

  it.each([
    ["smtp", false],
    ["smtps", true],
  ])("gets nothing where its certificate is nobody's: %s", async (protocol, secure) => {
    const server = await mailServer({ secure });
    expect(await refusalOf(`${protocol}://${lan}:${server.port}`)).toContain("certificate");
    // What would switch the check off stands in no address.
    const lax = "?tls.rejectUnauthorized=false&requireTLS=false&ignoreTLS=true&secure=false";
    expect(await refusalOf(`${protocol}://${lan}:${server.port}/${lax}`)).toContain("certificate");
    expect(server.told).toEqual([]);
  });
});

it("a subject or sender with line ends adds no header and no recipient", async () => {
  const server = await mailServer({ disabledCommands: ["AUTH", "STARTTLS"] });
  const deliver = await smtpTransport(`smtp://127.0.0.1:${server.port}`, {
    baseUrl: "https://shop.example",
    from: "orders@shop.example",
  });
  const bcc = "\r\nBcc: everyone@example.com\r\n";
  await deliver("job", { ...email, subject: `Hello${bcc}`, replyTo: `ben@example.com${bcc}` });
  const [recipient, ...sent] = server.told;
  expect(recipient).toBe("ada@example.com");
  expect(sent[0]).not.toMatch(/^[\w.+-]+@[\w.-]+$/);
  const [head = ""] = sent.join("").split("\r\n\r\n");
  expect(head).toMatch(/^Subject: Hello/m);
  expect(head).not.toMatch(/^Bcc:/im);
});

it("one on this machine may do without", async () => {
  const server = await mailServer({ disabledCommands: ["AUTH", "STARTTLS"] });
  expect(await refusalOf(`smtp://127.0.0.1:${server.port}`)).toBe("delivered");
  expect(server.told[0]).toBe("ada@example.com");
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
