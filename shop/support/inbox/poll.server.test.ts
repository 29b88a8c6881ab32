import { expect, it } from "vitest";
import { startImapServer } from "#tests/support/imap-server.ts";
import { imapOptions, pollInbox } from "./poll.server.ts";

/** Emails that one poll receives and reports, where `broken` is one that cannot be stored. */
async function poll(url: string, broken?: string) {
  const [received, reports]: [string[], unknown[]] = [[], []];
  const receive = async (raw: Uint8Array, isWhole: boolean) => {
    const text = Buffer.from(raw).toString();
    if (text === broken) throw new Error("the database does not answer");
    received.push(isWhole ? text : `in part: ${text}`);
    return "stored" as const;
  };
  await pollInbox(url, receive, (error) => reports.push(error));
  return { received, reports: reports.length };
}

it("each unseen email is received once, and one that fails is tried again", async () => {
  const server = await startImapServer({ 7: "From: a@example.com\r\n\r\nÄ", 8: "two", 12: "three" });
  expect(await poll(server.url, "two")).toEqual({ received: ["From: a@example.com\r\n\r\nÄ", "three"], reports: 1 });
  expect([...server.seen]).toEqual([7, 12]);
  expect(await poll(server.url)).toEqual({ received: ["two"], reports: 0 });
  expect(await poll(server.url)).toEqual({ received: [], reports: 0 });
  await expect.poll(server.open).toBe(0);
});

it("an email that the mail server does not give is taken in part after three polls, and keeps back no other", async () => {
  const one = "From: a@example.com\r\n\r\nHello";
  const server = await startImapServer({ 3: one, 4: "two", 5: "three" }, { withheld: { 3: "body", 4: "all" } });
  expect(await poll(server.url)).toEqual({ received: ["three"], reports: 2 });
  expect(await poll(server.url)).toEqual({ received: [], reports: 2 });
  expect(await poll(server.url)).toEqual({ received: [], reports: 2 });
  expect(await poll(server.url)).toEqual({ received: ["in part: From: a@example.com\r\n\r\n"], reports: 1 });
  expect(await poll(server.url)).toEqual({ received: ["in part: Message-ID: <4.1@127.0.0.1>\r\n\r\n"], reports: 0 });
  expect([...server.seen]).toEqual([5, 3, 4]);
});

it.each([
  ["the password is wrong", { password: "another" }],
  ["there is no inbox", { hasInbox: false }],
])("the poll fails and its connection ends if %s", async (_why, more) => {
  const server = await startImapServer({ 7: "one" }, more);
  await expect(poll(server.url)).rejects.toThrow();
  await expect.poll(server.open).toBe(0);
});

it.each([
  ["imaps://mail.example", { host: "mail.example", port: 993, secure: true, doSTARTTLS: undefined }],
  ["imap://mail.example", { host: "mail.example", port: 143, secure: false, doSTARTTLS: true }],
  ["imap://localhost:1143", { host: "localhost", port: 1143, secure: false, doSTARTTLS: undefined }],
  [
    "imap://me%40shop.example:p%3Ass@mail.example",
    { auth: { user: "me@shop.example", pass: "p:ss" }, doSTARTTLS: true },
  ],
])("%s", (url, options) => {
  expect(imapOptions(url)).toMatchObject({ ...options, tls: { minVersion: "TLSv1.2", rejectUnauthorized: true } });
});
