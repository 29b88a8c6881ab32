/** An IMAP server with one mailbox, as far as the shop uses it. It closes with its test. */
import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

type Mailbox = {
  emails: Record<number, string | Buffer>;
  seen: Set<number>;
  password: string;
  hasInbox: boolean;
  /** Parts of an email that are not given, by its uid: all but its headers, or them too. */
  withheld: Record<number, "body" | "all">;
};

/** Answer to a command, before its OK; null refuses it. */
function answer({ emails, seen, password, hasInbox, withheld }: Mailbox, command: string): string | Buffer | null {
  const uids = Object.keys(emails).map(Number);
  const [, verb = "", uid = 0] = /^(?:UID )?(\w+)(?: (\d+))?/.exec(command) ?? [];
  const sequence = uids.indexOf(Number(uid)) + 1;
  const whole = Buffer.from(emails[Number(uid)] ?? "");
  const isHead = command.includes("[HEADER]");
  const body = isHead ? whole.subarray(0, Math.max(0, whole.indexOf("\r\n\r\n") + 4)) : whole;
  switch (verb) {
    case "CAPABILITY":
      return "* CAPABILITY IMAP4rev1\r\n";
    case "LOGIN":
      return command.endsWith(`"${password}"`) ? "" : null;
    case "SELECT":
      return hasInbox ? `* ${uids.length} EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 99] x\r\n` : null;
    case "SEARCH":
      return `* SEARCH ${uids.filter((one) => !seen.has(one)).join(" ")}\r\n`;
    case "FETCH":
      if (withheld[Number(uid)] === "all" || (withheld[Number(uid)] && !isHead)) return null;
      return Buffer.concat([
        Buffer.from(
          `* ${sequence} FETCH (UID ${uid} BODY[${isHead ? "HEADER" : ""}]${isHead ? "" : "<0>"} {${body.length}}\r\n`,
        ),
        body,
        Buffer.from(")\r\n"),
      ]);
    case "STORE":
      seen.add(Number(uid));
      return `* ${sequence} FETCH (UID ${uid} FLAGS (\\Seen))\r\n`;
    default:
      return "";
  }
}

function serve(socket: Socket, mailbox: Mailbox): void {
  let rest = "";
  socket.write("* OK ready\r\n");
  socket.on("error", () => {});
  socket.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [tag = "", ...words] = line.split(" ");
      const answered = answer(mailbox, words.join(" "));
      socket.write(answered ?? "");
      socket.write(`${tag} ${answered === null ? "NO refused" : "OK done"}\r\n`);
      if (words[0] === "LOGOUT") socket.end();
    }
  });
}

/** `emails` by their uid. `open` counts connections. */
export async function startImapServer(emails: Mailbox["emails"], more: Partial<Mailbox> = {}) {
  const mailbox: Mailbox = { emails, seen: new Set(), password: "a password", hasInbox: true, withheld: {}, ...more };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serve(socket, mailbox);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { url: `imap://me:a%20password@127.0.0.1:${port}`, seen: mailbox.seen, open: () => sockets.size };
}
