/** Emails whose reading would cost more than their size: each a way to stop a shop, with the words that staff must still see. */

const CRLF = "\r\n";
const head = (lines: string[] = []) =>
  ["From: Mallory <{from}>", "To: support@shop.example", "Subject: Of a stranger", "MIME-Version: 1.0", ...lines].join(
    CRLF,
  );
const mail = (lines: string[], body: string) => `${head(lines)}${CRLF}${CRLF}${body}`;
const multipart = (boundary: string, kind = "mixed") => `Content-Type: multipart/${kind}; boundary="${boundary}"`;
const part = (type: string, body: string, more = "") => `Content-Type: ${type}${CRLF}${more}${CRLF}${body}`;
const html = (body: string) => mail(["Content-Type: text/html; charset=utf-8"], body);

function nested(depth: number): string {
  let body = part("text/plain", "deep");
  for (let i = depth; i > 0; i--) body = `${multipart(`b${i}`)}${CRLF}${CRLF}--b${i}${CRLF}${body}${CRLF}--b${i}--`;
  return `${head()}${CRLF}${body}`;
}

function forwarded(depth: number): string {
  let body = mail([], "the innermost");
  for (let i = 0; i < depth; i++) body = mail(["Content-Type: message/rfc822"], body);
  return body;
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** By name; `{from}` stands for the sender's address. Those that read well say so. */
export const HOSTILE_MAIL: Record<string, () => string> = {
  "800 kB of newlines": () => mail([], "\n".repeat(800_000)),
  "400 kB of newlines": () => mail([], "\n".repeat(400_000)),
  "200 kB of newlines": () => mail([], "\n".repeat(200_000)),
  "5 MB of newlines": () => mail([], "\n".repeat(5_000_000)),
  "20,000 empty parts": () => mail([multipart("b")], `--b${CRLF}${CRLF}`.repeat(20_000)),
  "2.2 MB of parts": () => mail([multipart("b")], `--b${CRLF}${CRLF}x${CRLF}`.repeat(220_000)),
  "100,000 open elements": () => html("<b>".repeat(100_000)),
  "30,000 open elements": () => html(`${"<b>".repeat(30_000)}x`),
  "3,000 references": () =>
    mail(
      [
        `References: ${Array.from({ length: 3_000 }, (_, i) => `<reply.6f1f7a52-3f0e-4d8f-9a55-${String(i).padStart(12, "0")}@localhost>`).join(" ")}`,
      ],
      "Hello",
    ),
  "a NUL in the Message-ID": () => mail(["Message-ID: <a\0{from}>"], "Hello"),
  "a NUL in the Message-ID and 400,000 newlines": () => mail(["Message-ID: <n\0{from}>"], "\n".repeat(400_000)),
  "NULs everywhere": () =>
    mail(
      ["In-Reply-To: <\0@x>", "Reply-To: \0 <a\0b@example.com>", multipart("b"), "Message-ID: <\0\0{from}>"],
      [part("text/plain", "Hel\0lo"), part("a\0b/c\0d", "x", `Content-Disposition: attachment${CRLF}`)]
        .map((one) => `--b${CRLF}${one}${CRLF}`)
        .join(""),
    ),
  "unknown and stateful charsets": () =>
    mail(
      [multipart("b")],
      ["utf-7", "iso-2022-jp", "utf-16", "x-nothing", "replacement", "a".repeat(50_000)]
        .map(
          (charset) =>
            `--b${CRLF}Content-Type: text/plain; charset="${charset}"${CRLF}${CRLF}${"\x1b$B+AGE-\xff\xfe".repeat(30_000)}${CRLF}`,
        )
        .join(""),
    ),
  "base64 that is none": () =>
    mail(["Content-Transfer-Encoding: base64"], `${"\x80\xff$%&".repeat(15)}${CRLF}`.repeat(35_000)),
  "a line of 1.9 MB": () => mail([], "word ".repeat(380_000)),
  "a header of 1.9 MB": () => mail([`X-Long: ${"word ".repeat(380_000)}`], "Hello"),
  "lines of blanks": () => mail([], ` \t${CRLF}`.repeat(45_000)),
  "900 attachments": () => {
    const file = part("image/png", base64("no picture"), `Content-Transfer-Encoding: base64${CRLF}`);
    const parts = Array.from({ length: 900 }, () => `--b${CRLF}${file}${CRLF}`);
    return mail([multipart("b")], parts.join(""));
  },
  "a header folded 200,000 times": () => mail([`X-Long: a${`${CRLF} b`.repeat(200_000)}`], "Hello"),
  "100,000 headers": () => mail([`X-A: b${CRLF}`.repeat(100_000).trimEnd()], "Hello"),
  "parts nested 5,000 deep": () => nested(5_000),
  "emails in emails, 2,000 deep": () => forwarded(2_000),
  "emails in emails with 2 MB": () => forwarded(9).replace("the innermost", "word ".repeat(400_000)),
  "quoted-printable of soft breaks": () =>
    mail(["Content-Transfer-Encoding: quoted-printable"], `=${CRLF}`.repeat(800_000)),
  "quoted-printable of one long line": () =>
    mail(["Content-Transfer-Encoding: quoted-printable"], "=41=E2=82".repeat(300_000)),
  "20,000 encoded words": () =>
    mail([`X-Subject: ${"=?utf-8?q?=41?= ".repeat(6_000)}`, `Subject: ${"=?utf-8?b?QQ==?= ".repeat(20_000)}`], "Hello"),
  "a list of 60,000 addresses": () =>
    mail(
      [
        `Cc: ${Array.from({ length: 12_000 }, (_, i) => `a${i}@example.com`).join(", ")}`,
        `Bcc: ${'(<"'.repeat(20_000)}`,
      ],
      "Hello",
    ),
  "groups in groups of addresses": () =>
    mail([`To: ${"a: b@example.com, ".repeat(8_000)};`, `Reply-To: ${"<".repeat(30_000)}`], "Hello"),
  "HTML with 100,000 attributes": () =>
    html(`<p ${Array.from({ length: 100_000 }, (_, i) => `a${i}="b"`).join(" ")}>Hello`),
  "HTML of 1.2 MB in tables": () => html("<table><tr><td>".repeat(80_000)),
  "HTML of entities": () => html("&amp;&nbsp;&#x41;&notanentity;".repeat(60_000)),
  "HTML of angle brackets": () => html(`${"<".repeat(1_000_000)}${"<!--".repeat(100_000)}`),
  "HTML lists in lists": () => html("<ul><li><blockquote>".repeat(25_000)),
  "base64 of padding": () => mail(["Content-Transfer-Encoding: base64"], "A=".repeat(1_400_000)),
  "base64 of padding in lines": () =>
    mail(["Content-Transfer-Encoding: base64"], `${"A=".repeat(38)}${CRLF}`.repeat(60_000)),
  "text that looks like base64": () => mail([], `${"A".repeat(60)}${CRLF}`.repeat(80_000)),
  "a picture of 6 MB that is none": () =>
    mail(
      ["Content-Type: image/png", "Content-Transfer-Encoding: base64"],
      `${"iVBOR".repeat(15)}A${CRLF}`.repeat(80_000),
    ),
  "flowed text in one paragraph": () =>
    mail(["Content-Type: text/plain; format=flowed; delsp=yes"], `-- ${CRLF}word ${CRLF}`.repeat(24_000)),
  "parameters by thousands": () =>
    mail(
      [`Content-Type: text/plain; ${Array.from({ length: 6_000 }, (_, i) => `a*${i}*=utf-8''%41`).join("; ")}`],
      "Hello",
    ),
  "quotes in quotes": () =>
    mail([], `${"On 2026 From: >".repeat(2_000)}${"\nOn 2020 x\n".repeat(2_500)}${">".repeat(9_000)}`),
  "history that is none": () =>
    mail([], "On 1/1/20 1/1/20 1/1/20 1/1/20 1/1/20 1/1/20 1/1/20 1/1/20 1/1/20 1/1/20\n".repeat(680)),
  "no sender": () => `To: support@shop.example${CRLF}Subject: Nobody${CRLF}${CRLF}Hello`,
  "a sender of two": () => `From: <a,{from}>${CRLF}Subject: Two${CRLF}${CRLF}Hello`,
  nothing: () => "",
  garbage: () => base64("x".repeat(100)) + "\0\x01\x02".repeat(50_000),
};

export const hostileMail = (name: string, from: string): Buffer =>
  Buffer.from(HOSTILE_MAIL[name]!().replaceAll("{from}", from), "latin1");
