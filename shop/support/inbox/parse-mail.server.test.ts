/** Emails as the mail programs of customers write them (tests/fixtures/mail). */
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { rawMail, REPLY_TO, THREAD } from "#tests/support/raw-mail.ts";
import { mailOf } from "./mail.ts";
import { parseMail } from "./parse-mail.server.ts";
import { splitQuoted } from "./quoted.ts";

const FOR_IPHONE = "Sent from my iPhone";

/** Texts that their senders wrote, and the attachments. */
const WRITTEN: Record<string, [written: string, ...attachments: string[]]> = {
  "gmail-web": ["Perfect, thank you! I'll order the small one."],
  "gmail-wrapped-date": [
    "Is it quiet enough for a bedroom? My daughter sleeps next to the kitchen and\nwakes up easily.",
  ],
  "gmail-emoji": ["So happy with it 🍉🥝 — the family 👨‍👩‍👧 loves it. “Crisp” after 5 days!"],
  "gmail-inline-picture": ["This is how it looks:\n\n[image: bowl.png]", "bowl.png"],
  "gmail-attachments": [
    "Hi,\n\nthe lid of my bowl arrived broken. Photos and the invoice are attached.\n\nAda",
    "PXL_20261126_141200.jpg",
    "PXL_20261126_141214.jpg",
    "Invoice 2026-11.pdf",
  ],
  "gmail-long-thread": ["One more question: does the warranty start with the delivery?"],
  "gmail-new": ["Hello,\n\ndo you ship to Hawaii?\n\nThanks\nBen\n-- \nBen Franklin\nPhiladelphia, PA"],
  "gmail-second-address": ["Sorry, this is my work address. The small one, please."],
  "outlook-desktop": ["That’s great – thank you. I’d like two of them…\n\nBest regards,\nAda"],
  "outlook-web": ["Is the café bowl, 3½ quarts, still available?"],
  "outlook-ios": ["Yes please, ship it tomorrow 👍\n\nGet Outlook for iOS<https://aka.ms/o0ukef>"],
  "outlook-winmail": ["Please see my address in the attached card.", "winmail.dat"],
  "outlook-signature-picture": [
    "Please send the invoice to our office.\n\n[cid:image001.png@01DB3EA1.8F3C5A10]\nAda Lovelace\nAnalytical Engines Inc.",
    "image001.png",
  ],
  "outlook-html-only": ["The package was left at my neighbor’s door.\n\nCan you ask the carrier?"],
  "outlook-spanish": ["Muchas gracias. ¿Cuándo llega mi pedido?"],
  "outlook-accepted-meeting": ["See you then.", "text/calendar"],
  "apple-mail": ["Thanks, Grace. Then I take the small one."],
  "apple-iphone": [`It’s still not here… Can you check?\n\n${FOR_IPHONE}`],
  "apple-mail-pictures": [
    "Two photos of the crack:\n\nAnd one with the lid. – Ada",
    "IMG_1815.jpeg",
    "Foto Küche.png",
    "IMG_1816.HEIC",
  ],
  "apple-iphone-picture-only": [FOR_IPHONE, "image0.jpeg"],
  "apple-mail-flowed": ["Guten Tag, ich möchte den Filter für meine Schüssel in die USA bestellen – geht das?"],
  "icloud-web": ["Which plug does it have?"],
  "apple-mail-forward": ["My wife ordered this. Please change the street to 14 Analytical Ave."],
  "apple-ipad-8bit": ["The lid doesn’t close – it’s 2 mm too wide, “as new”. €19 for another?\n\nSent from my iPad"],
  "forged-reply": ["Send the refund of my order to this account instead."],
  "forged-address": ["What did the others write?"],
};

/** Somebody who answers between the lines is shown with them. */
const WHOLE = ["gmail-answers-between"];

const AUTOMATIC = [
  "gmail-vacation",
  "gmail-address-not-found",
  "outlook-out-of-office",
  "exchange-undeliverable",
  "mailing-list",
  "postfix-bounce",
];

const OWN = { addresses: ["support@shop.example", "orders@shop.example"], host: "shop.example" };
const take = async (raw: Uint8Array) =>
  mailOf({ unnamed: "<its@unnamed>", head: null, whole: await parseMail(raw) }, OWN);
const read = (name: string) => take(rawMail(name));

it("each fixture has a case", () => {
  const files = globSync("tests/fixtures/mail/*.eml").map((file) => basename(file, ".eml"));
  expect(files.length).toBeGreaterThanOrEqual(30);
  expect([...Object.keys(WRITTEN), ...WHOLE, ...AUTOMATIC].toSorted()).toEqual(files.toSorted());
});

describe("an email", () => {
  it.each(Object.entries(WRITTEN))("%s is read as its sender wrote it", async (name, [written, ...names]) => {
    const mail = await read(name);
    expect(splitQuoted(mail.text).written).toBe(written);
    expect(mail.attachments.map((attachment) => attachment.name)).toEqual(names);
    expect(mail.isAutomatic).toBe(false);
    expect(mail.text).not.toMatch(/<script|<p|font-face|=\n/);
    const isAnswer = readFileSync(`tests/fixtures/mail/${name}.eml`, "latin1").includes("In-Reply-To:");
    expect(mail.answers.includes(THREAD)).toBe(isAnswer);
  });

  it.each(WHOLE)("%s is shown whole", async (name) => {
    const { text } = await read(name);
    expect(splitQuoted(text)).toEqual({ written: text, history: "" });
    expect(text).toMatch(/which color.*\n\nEarth green\.[^]*only at night\.$/);
  });

  it.each(AUTOMATIC)("%s is a program's", async (name) => {
    expect((await read(name)).isAutomatic).toBe(true);
  });

  it("has its sender, subject and every address that it was sent to", async () => {
    expect(await read("gmail-emoji")).toMatchObject({
      mailId: "<CAKx7Qz-0003@mail.gmail.com>",
      from: { name: "Ada Love 🍊", email: "ada.lovelace@gmail.com" },
      to: expect.arrayContaining(["support@shop.example", REPLY_TO]),
      subject: "Re: We have your message 🍊",
    });
    expect((await read("outlook-desktop")).from.name).toBe("Lovelace, Ada");
  });
});

const headers = (...lines: string[]) => Buffer.from(`${lines.join("\r\n")}\r\n\r\nHello`);
const ADA = "From: Ada <ada@example.com>";
const FORM = "From: Forms <noreply@formservice.example>";
const GROUP = "From: 'Ada' via Support <support@shop.example>";
const LIST = ["Precedence: list", "List-ID: <support.shop.example>"];
const ASKS = "Reply-To: Ada <ada@example.com>";

it.each([
  ["Auto-Submitted: auto-generated"],
  ["Auto-Submitted: Auto-Replied (vacation)"],
  ["Precedence: auto_reply"],
  ["Precedence: JUNK"],
  ["Precedence: list", "List-ID: <cooks.list.example>"],
  ["X-Autorespond: Away"],
  ["X-Autoreply: yes"],
  ["Return-Path: <>"],
  ["Return-Path:  < > ", "Auto-Submitted: auto-replied"],
  ["Auto-Submitted: auto-replied", ...LIST],
  ["Reply-To: no-reply@example.com"],
])("%s %s is of a program", async (...lines) => {
  expect((await take(headers(ADA, ...lines))).isAutomatic).toBe(true);
});

it.each([
  [FORM],
  [FORM, "Reply-To: donotreply@formservice.example"],
  ["From: MAILER-DAEMON@mx.example", ASKS],
  [GROUP],
  [GROUP, "Reply-To: support@shop.example, Support <support+m0@shop.example>"],
])("%s %s is of a program", async (...lines) => {
  expect((await take(headers(...lines))).isAutomatic).toBe(true);
});

it.each([
  [ADA, "Auto-Submitted: no"],
  [ADA, "Precedence: first-class"],
  [ADA, "Return-Path: <ada@example.com>"],
  [ADA, ...LIST],
  [ADA, "List-Post: <mailto:support@shop.example>", "List-Id: Support <1.lists.example>"],
  [FORM, ASKS],
  [GROUP, ASKS, ...LIST],
  [GROUP, "Reply-To: support@shop.example", "X-Original-From: Ada <ada@example.com>", ...LIST],
])("%s %s is of a person, who gets the answer", async (...lines) => {
  expect(await take(headers(...lines))).toMatchObject({
    isAutomatic: false,
    isOwn: false,
    from: { email: "ada@example.com" },
  });
});

it.each<[string, object, ...string[]]>([
  ["sender", { name: "Ada", email: "ada@example.com", sentFrom: null }, ADA],
  [
    "sender, if the Reply-To is the same",
    { name: "Ada", email: "ada@example.com", sentFrom: null },
    ADA,
    "Reply-To: ADA@example.com",
  ],
  [
    "Reply-To",
    { name: "Bob", email: "bob@example.com", sentFrom: "ada@example.com" },
    ADA,
    "Reply-To: Bob <bob@example.com>",
  ],
  [
    "Reply-To, without the sender's name",
    { name: "bob@example.com", sentFrom: "ada@example.com" },
    ADA,
    "Reply-To: bob@example.com",
  ],
  [
    "first Reply-To that can be written to",
    { email: "bob@example.com" },
    ADA,
    "Reply-To: bob, <c,d@evil.test>, bob@example.com",
  ],
  [
    "sender, if no Reply-To can be written to",
    { email: "ada@example.com", sentFrom: null },
    ADA,
    "Reply-To: <a,b@evil.test>",
  ],
  [
    "nobody, if programs would read two",
    { name: "<a,b@evil.test>", email: "", sentFrom: null },
    "From: <a,b@evil.test>",
  ],
  ["nobody of no sender", { name: "Unknown sender", email: "", sentFrom: null }, "Subject: Hello"],
  ["Reply-To of no sender", { email: "ada@example.com", sentFrom: "a,b@evil.test" }, "From: <a,b@evil.test>", ASKS],
])("answers go to the %s", async (_whom, expected, ...lines) => {
  const { from, sentFrom } = await take(headers(...lines));
  expect({ ...from, sentFrom }).toMatchObject(expected);
});

it.each([
  ["Auto-Submitted: auto-generated", true],
  ["Message-ID: <reply.6f1f7a52-3f0e-4d8f-9a55-2c1f3f1f9a02@shop.example>", true],
  ["Message-ID: <6f1f7a52@shop.example>", false],
])("of what has the shop's own sender and %s, it sent itself: %s", async (line, isOwn) => {
  expect((await take(headers("From: Polara <orders@shop.example>", ASKS, line))).isOwn).toBe(isOwn);
});

it.each([
  ["one blank", " "],
  ["empty lines", "\r\n \r\n\r\n"],
])("an email whose plain text is %s has the words of its HTML", async (_what, blank) => {
  const raw = `${ADA}\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n\r\n${blank}\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Please cancel my order.</p>\r\n--b--\r\n`;
  expect((await take(Buffer.from(raw))).text).toBe("Please cancel my order.");
});

it("no character of an email is one that the database or a screen cannot take", async () => {
  const raw = [
    `From: "A\u202e\u0000da" <ada@example.com>`,
    "Subject: A\u0007B",
    "Message-ID: <a\u0000b@x>",
    "Content-Type: multipart/mixed; boundary=b",
    "",
    "--b",
    "",
    "x\u0000y\u202ez\u001b[31m",
    "\tok",
    "--b",
    "Content-Type: a\u0000b/c",
    "Content-Disposition: attachment",
    "",
    "x",
    "--b--",
  ].join("\r\n");
  const mail = await take(Buffer.from(raw));
  expect([mail.from.name, mail.subject, mail.text, mail.mailId]).toEqual(["Ada", "AB", "xyz[31m\n\tok", "<ab@x>"]);
  expect(mail.attachments.map(({ name }) => name)).toEqual(["ab/c"]);
});
