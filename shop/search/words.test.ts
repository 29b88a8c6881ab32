import { describe, expect, it } from "vitest";
import { excerpt, mark, MAX_QUERY_LENGTH, wordsOf } from "./words.ts";

describe("the words of a query", () => {
  it.each<[string, string[]]>([
    ["Ethylene Filter", ["ethylene", "filter"]],
    ["  USB-C  2-Pack ", ["usb", "c", "2", "pack"]],
    ["green GREEN Green", ["green"]],
    ["crème brûlée", ["creme", "brulee"]],
    ["ﬁlter", ["filter"]],
    ["can't & won't | !(no:*)", ["can", "t", "won", "no"]],
    ["", []],
    [" \t\n", []],
    ["\u0000\ud800'\"\\;--", []],
    ["🥬🍎", []],
    ["保鲜盒", ["保鲜盒"]],
  ])("%j", (query, words) => {
    expect(wordsOf(query)).toEqual(words);
  });

  it("are limited in number and length", () => {
    expect(wordsOf("x".repeat(10_000))).toEqual(["x".repeat(MAX_QUERY_LENGTH)]);
    expect(wordsOf("a b c d e f g h i j k l m n o p").length).toBeLessThanOrEqual(8);
  });
});

const shown = (pieces: { text: string; hit: boolean }[]) =>
  pieces.map(({ text, hit }) => (hit ? `[${text}]` : text)).join("");

describe("the positions of words", () => {
  it.each([
    ["Ethylene Filter 2-Pack", ["filt"], "Ethylene [Filter] 2-Pack"],
    ["Two filters, one filter", ["filters"], "Two [filters], one [filter]"],
    ["Berries and a berry", ["berry"], "[Berries] and a [berry]"],
    ["USB-C cable", ["usb", "c"], "[USB]-[C] cable"],
    ["Crème fraîche", ["creme"], "[Crème] fraîche"],
    ["<b>filter</b> & more", ["filter"], "<b>[filter]</b> & more"],
    ["Nothing here", ["there"], "Nothing here"],
    ["", ["x"], ""],
  ])("%s, asked for %j", (text, words, expected) => {
    expect(shown(mark(text, words))).toBe(expected);
  });

  it("an excerpt has the most words found", () => {
    const filler = "Nothing to see in this long line of text. ".repeat(8);
    const text = `A filter. ${filler}The ethylene filter works for months. ${filler}`;
    const line = excerpt(text, ["ethylene", "filter"]);
    expect(shown(line)).toContain("[ethylene] [filter]");
    expect(shown(line)).toMatch(/^…\s.*\s…$/);
    expect(line.map(({ text: piece }) => piece).join("").length).toBeLessThan(170);
  });

  it("a short text is its own excerpt", () => {
    expect(shown(excerpt("A charge takes 2 hours.", ["charge"]))).toBe("A [charge] takes 2 hours.");
  });
});
