import { expect, it } from "vitest";
import {
  around,
  heading,
  link,
  list,
  newLine,
  numberedList,
  paragraph,
  picture,
  quote,
  type Edit,
} from "./markdown-edits.ts";

/** "a «b» c" is a text whose "b" is selected, "a | b" one with the cursor at the bar. */
function fieldOf(written: string) {
  const selectionStart = written.search(/[«|]/);
  const value = written.replaceAll(/[«»|]/g, "");
  const selectionEnd = written.includes("|") ? selectionStart : written.indexOf("»") - 1;
  return { value, selectionStart, selectionEnd };
}

function written(value: string, { from, to, text, start, end }: Edit): string {
  const result = value.slice(0, from) + text + value.slice(to);
  const middle = start === end ? "|" : `«${result.slice(start, end)}»`;
  return result.slice(0, start) + middle + result.slice(end);
}

const bold = around("**");
const week = picture({ name: "lifestyle-week", alt: "" });

it.each([
  [bold, "Eat «peaches» now", "Eat **«peaches»** now"],
  [bold, "Eat **«peaches»** now", "Eat «peaches» now"],
  [bold, "Eat «**peaches**» now", "Eat «peaches» now"],
  [bold, "Eat« peaches »now", "Eat **«peaches»** now"],
  [bold, "Eat pea|ches now", "Eat **pea|ches** now"],
  [bold, "Eat **pea|ches** now", "Eat pea|ches now"],
  [bold, "Eat **ripe peaches|** now", "Eat **ripe peaches**| now"],
  [bold, "Eat | now", "Eat **|** now"],
  [bold, "Eat **|** now", "Eat | now"],
  [bold, "«One\n\nTwo»", "«**One**\n\n**Two**»"],
  [bold, "«**One**\n\n**Two**»", "«One\n\nTwo»"],
  [around("_"), "Eat «now»", "Eat _«now»_"],
  [heading, "Above\nWh|en\nBelow", "Above\n## Wh|en\nBelow"],
  [heading, "## Wh|en", "### Wh|en"],
  [heading, "#|## When", "|When"],
  [heading, "- Wh|en", "## Wh|en"],
  [heading, "|", "## |"],
  [list, "«One\nTwo\n»Three", "«- One\n- Two»\nThree"],
  [list, "«- One\n- Two»", "«One\nTwo»"],
  [list, "«1. One\n\n2. Two»", "«- One\n\n- Two»"],
  [numberedList, "«One\n\nTwo»", "«1. One\n\n2. Two»"],
  [numberedList, "«1. One\n2. Two»", "«One\nTwo»"],
  [quote, "Sa|id", "> Sa|id"],
  [quote, "> Sa|id", "Sa|id"],
  [link, "See «the shop».", "See [the shop](«https://»)."],
  [link, "See «/shop».", "See [«words»](/shop)."],
  [link, "See |.", "See [«words»](https://)."],
  [week, "|", "![|](lifestyle-week)"],
  [week, "One.|\n\nTwo.", "One.\n\n![|](lifestyle-week)\n\nTwo."],
  [picture({ name: "u-1", alt: "A plum" }), "One.|", "One.\n\n![A plum](u-1)|"],
  [paragraph("Hello."), "|", "Hello.|"],
  [paragraph("Hello."), "Dear |", "Dear \n\nHello.|"],
  [paragraph("Hello."), "Hi,\n\n«Bye.»", "Hi,\n\nHello.|"],
  [paragraph("Hello."), "Hi,\n|\nGrace", "Hi,\n\nHello.|\n\nGrace"],
  [week, "One|, two", "One\n\n![|](lifestyle-week)\n\n, two"],
])("%s: %j becomes %j", (edit, before, after) => {
  const field = fieldOf(before);
  expect(written(field.value, edit(field))).toBe(after);
});

it.each([
  ["- One|\nTwo", "- One\n- |\nTwo"],
  ["9. One|", "9. One\n10. |"],
  ["> One| two", "> One\n> | two"],
  ["- One\n- |", "- One\n|"],
])("a new line in %j goes on as %j", (before, after) => {
  const field = fieldOf(before);
  expect(written(field.value, newLine(field)!)).toBe(after);
});

it.each(["One|", "## One|", "- «One»", "|- One"])("a new line in %j is the browser's", (before) => {
  expect(newLine(fieldOf(before))).toBeNull();
});
