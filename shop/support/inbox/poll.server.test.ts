import { expect, it } from "vitest";
import { imapOptions, pollInbox, type MailClient } from "./poll.server.ts";

/** What the poll uses of a server: emails by uid, and which were seen. */
function fakeServer(emails: Record<number, string>) {
  const seen = new Set<number>();
  let isOpen = false;
  const client = {
    async connect() {
      isOpen = true;
    },
    async logout() {
      isOpen = false;
    },
    async mailboxOpen() {},
    async search() {
      return Object.keys(emails)
        .map(Number)
        .filter((uid) => !seen.has(uid));
    },
    async fetchOne(uid: string) {
      return { source: Buffer.from(emails[Number(uid)]!) };
    },
    async messageFlagsAdd(uid: string, flags: string[]) {
      expect(flags).toEqual(["\\Seen"]);
      return seen.add(Number(uid)).size > 0;
    },
  } as unknown as MailClient;
  return { client, seen, isOpen: () => isOpen };
}

it("each unseen email is received once, and one that fails is tried again", async () => {
  const server = fakeServer({ 7: "one", 8: "broken", 9: "three" });
  const received: string[] = [];
  const reports: unknown[] = [];
  const poll = (breaks: boolean) =>
    pollInbox(
      server.client,
      async (raw) => {
        const text = Buffer.from(raw).toString();
        if (breaks && text === "broken") throw new Error("the database does not answer");
        received.push(text);
        return "stored";
      },
      (error) => reports.push(error),
    );
  await poll(true);
  expect([received, [...server.seen], reports.length]).toEqual([["one", "three"], [7, 9], 1]);
  await poll(false);
  expect([received, server.isOpen()]).toEqual([["one", "three", "broken"], false]);
});

it("the connection ends when the mailbox does not open", async () => {
  const server = fakeServer({});
  server.client.mailboxOpen = () => Promise.reject(new Error("no such mailbox"));
  await expect(
    pollInbox(
      server.client,
      () => Promise.resolve("stored"),
      () => {},
    ),
  ).rejects.toThrow("no such mailbox");
  expect(server.isOpen()).toBe(false);
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
