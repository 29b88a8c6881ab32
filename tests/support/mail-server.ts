/** An SMTP server that closes with its test, and what it received. */
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { onTestFinished } from "vitest";

export const WITHOUT_TLS: SMTPServerOptions = { disabledCommands: ["AUTH", "STARTTLS"] };

/** Listens on every address of this machine. An attempt that is not accepted is refused with 451. */
export async function startMailServer(options = WITHOUT_TLS, accepts: (attempt: number) => boolean = () => true) {
  const recipients: string[] = [];
  const emails: string[] = [];
  let attempts = 0;
  const server = new SMTPServer({
    authOptional: true,
    onRcptTo({ address }, _session, done) {
      recipients.push(address);
      done();
    },
    onData(stream, _session, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
      stream.on("end", () => {
        if (!accepts(++attempts)) return done(Object.assign(new Error("try later"), { responseCode: 451 }));
        emails.push(text);
        done();
      });
    },
    ...options,
  });
  server.on("error", () => {});
  await new Promise<void>((ready) => server.listen(0, "0.0.0.0", ready));
  onTestFinished(() => new Promise<void>((done) => server.close(done)));
  const address = server.server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { port, url: `smtp://127.0.0.1:${port}`, recipients, emails };
}
