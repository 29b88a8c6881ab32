import { expect, it } from "vitest";
import { splitQuoted } from "./quoted.ts";

const WROTE = "On Thu, Nov 26, 2026 at 9:14 AM Polara <support@shop.example> wrote:";

it.each<[string, string, string]>([
  ["has none", "It fits.\n\nAda", "It fits.\n\nAda"],
  ["of Gmail", `It fits.\n\n${WROTE}\n\n> Does it?\n>\n> > Yes\n`, "It fits."],
  [
    "with a date over three lines",
    "It fits.\n\nOn Thu, Nov 26, 2026 at 9:14 AM Polara\n<support@shop.example>\nwrote:\n> Does it?",
    "It fits.",
  ],
  [
    "of an iPhone",
    "It fits.\n\nSent from my iPhone\n\n> On Nov 26, 2026, at 9:14 AM, Polara wrote:\n> \n> Does it?",
    "It fits.\n\nSent from my iPhone",
  ],
  [
    "of Outlook",
    "It fits.\n\n________________________________\nFrom: Polara\nSent: Thursday\nTo: Ada\nSubject: Re: Bowl\n\nDoes it?",
    "It fits.",
  ],
  ["of Outlook in Spanish", "Cabe.\n\nDe: Polara\nEnviado: jueves\nPara: Ada\nAsunto: RE: Bol\n\n¿Cabe?", "Cabe."],
  ["of an old Outlook", "It fits.\n\n-----Original Message-----\nFrom: Polara\n\nDoes it?", "It fits."],
  ["of an old Outlook in German", "Passt.\n\n-----Ursprüngliche Nachricht-----\nVon: Polara\n\nPasst es?", "Passt."],
  ["of Thunderbird", "It fits.\n\nOn 11/26/26 9:14 AM, Polara wrote:\n> Does it?", "It fits."],
  [
    "that Apple Mail forwards",
    "Look.\n\nBegin forwarded message:\n\nFrom: Polara <support@shop.example>\nSubject: Bowl\n\nDoes it?",
    "Look.",
  ],
  ["without a sentence", "It fits.\n\n> Does it?\n", "It fits."],
  ["without indentation", `It fits.\n\n${WROTE}\n\nDoes it?`, "It fits."],
])("history %s is cut", (_what, text, written) => {
  const split = splitQuoted(text);
  expect(split.written).toBe(written);
  expect(split.history).toBe(text.slice(text.indexOf(written) + written.length).trim());
});

it.each([
  ["answers below", `${WROTE}\n> Does it fit?\n\nIt does.`],
  ["answers between", `See below.\n\n${WROTE}\n> Does it fit?\nIt does.\n> Is it quiet?\nIt is.`],
  [
    "a forwarded email alone",
    "---------- Forwarded message ----------\nFrom: Ben <ben@example.com>\nSubject: Bowl\n\nLook at this.",
  ],
  ["a sentence like one of a mail program", "On Monday you wrote:\nIt ships tomorrow. It did not."],
  ["a list of names", "From: my sister\nTo: me\nPlease change it."],
])("%s is shown whole", (_what, text) => {
  expect(splitQuoted(text)).toEqual({ written: text.trim(), history: "" });
});

it.each([
  ["almost quotes", "On 2026 From: >".repeat(3_000) + "\nOn x\n".repeat(10_000) + ">".repeat(20_000)],
  ["a rule and empty lines", `${"-".repeat(30)}\n`.repeat(800) + "\n".repeat(25_000)],
  ["dates that nobody wrote on", `On ${"1/1/20 ".repeat(27)}\n`.repeat(260)],
  ["dates far from the end of a sentence", `On ${"1/1/20 ".repeat(27)}\n`.repeat(250) + "Ada wrote:\n".repeat(200)],
])("a long email of %s takes no time", (_what, text) => {
  const started = performance.now();
  splitQuoted(text);
  expect(performance.now() - started).toBeLessThan(500);
});
