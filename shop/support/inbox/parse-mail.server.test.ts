/** Emails as the mail programs of customers write them (tests/fixtures/mail). */
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { rawMail, REPLY_TO, THREAD } from "#tests/support/raw-mail.ts";
import { parseMail } from "./parse-mail.server.ts";
import { splitQuoted } from "./quoted.ts";

const FOR_IPHONE = "Sent from my iPhone";

/** What their senders wrote, and the attachments. */
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

const read = async (name: string) => (await parseMail(rawMail(name)))!;

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

it.each([
  "Auto-Submitted: auto-generated",
  "Auto-Submitted: Auto-Replied (vacation)",
  "Precedence: auto_reply",
  "Precedence: JUNK",
  "X-Autorespond: Away",
  "X-Autoreply: yes",
  "Return-Path: <>",
  "Return-Path:  < > \r\nAuto-Submitted: auto-replied",
])("%s is of a program", async (line) => {
  expect((await parseMail(headers(ADA, line)))?.isAutomatic).toBe(true);
});

it.each(["Auto-Submitted: no", "Precedence: first-class", "Return-Path: <ada@example.com>"])(
  "%s is of a person",
  async (line) => {
    expect((await parseMail(headers(ADA, line)))?.isAutomatic).toBe(false);
  },
);

describe("what is no email", () => {
  it.each([
    ["nothing", ""],
    ["no headers", "Hello"],
    ["no sender", "To: support@shop.example\r\n\r\nHello"],
    ["a sender without an address", "From: Ada\r\n\r\nHello"],
    [
      "parts without end",
      `${ADA}\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n${"--a\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n".repeat(1_000)}`,
    ],
    ["a header of megabytes", `${ADA}\r\nX: ${"a\r\n ".repeat(1_500_000)}\r\n\r\nHello`],
  ])("%s is refused, or read without harm", async (_what, raw) => {
    const mail = await parseMail(Buffer.from(raw));
    if (mail) expect([mail.from.email, mail.attachments]).toEqual(["ada@example.com", []]);
  });

  it("an email without a Message-ID has one of its own, the same each time", async () => {
    const [one, again, other] = await Promise.all([
      parseMail(headers(ADA)),
      parseMail(headers(ADA)),
      parseMail(headers(ADA, "Subject: Another")),
    ]);
    expect(one?.mailId).toMatch(/^<[0-9a-f]{64}@unnamed>$/);
    expect([again?.mailId === one?.mailId, other?.mailId === one?.mailId]).toEqual([true, false]);
  });

  it("no character of an email is one that the database or a screen cannot take", async () => {
    const mail = await parseMail(
      Buffer.from(
        `From: "A\u202e\u0000da" <ada@example.com>\r\nSubject: A\u0007B\r\n\r\nx\u0000y\u202ez\u001b[31m\r\n\tok`,
      ),
    );
    expect([mail?.from.name, mail?.subject, mail?.text]).toEqual(["Ada", "AB", "xyz[31m\n\tok"]);
  });
});
