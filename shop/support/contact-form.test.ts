import { describe, expect, it } from "vitest";
import { contactSchema, fillSavedReply, savedReplySchema } from "./contact-form.ts";

const good = { name: "Ada Lovelace", email: "ada@example.com", message: "Does it fit a melon?" };
const errors = (fields: object) => {
  const read = contactSchema.safeParse({ ...good, ...fields });
  return read.success ? [] : read.error.issues.map((issue) => issue.message);
};

describe("the contact form", () => {
  it.each([
    [{ name: " " }, ["Name is required"]],
    [{ name: undefined }, ["Name is required"]],
    [{ name: "x".repeat(101) }, ["Name must be at most 100 characters"]],
    [{ name: "Ada\u0000" }, ["Name contains a character that cannot be used"]],
    [{ name: "Ada\r\nBcc: everyone@example.com" }, ["Name contains a character that cannot be used"]],
    [{ message: "" }, ["Message is required"]],
    [{ message: "x".repeat(5001) }, ["Message must be at most 5000 characters"]],
    [{ message: "a\u0000b" }, ["Message contains a character that cannot be used"]],
    [{}, []],
  ])("%j: %j", (fields, messages) => {
    expect(errors(fields)).toEqual(messages);
  });

  it("trims, but keeps line ends of a message", () => {
    expect(contactSchema.parse({ ...good, email: " ada@example.com ", message: "One\r\n\r\nTwo\tthree " })).toEqual({
      ...good,
      message: "One\n\nTwo\tthree",
    });
  });
});

it.each([
  ["Ada Lovelace", "Ada"],
  ["Lovelace, Ada", "Ada"],
  ["Lovelace, Ada King", "Ada"],
  [" Ada", "Ada"],
  ["Polara,", "Polara"],
  ["ada@example.com", "there"],
  ["", "there"],
])("a saved reply greets “%s” as %s", (name, greeted) => {
  expect(fillSavedReply("Hello {name}, {name}!", name)).toBe(`Hello ${greeted}, ${greeted}!`);
});

it.each([
  ["Hello {name}, it fits.", undefined],
  ["Hello {nmae}.", "{nmae} stands for nothing. {name} stands for the customer’s first name"],
  ["Hello {name}, {first name}.", "{first name} stands for nothing. {name} stands for the customer’s first name"],
  ["A {} and a { b.", undefined],
])("a saved reply %j: %s", (body, message) => {
  expect(savedReplySchema.safeParse({ title: "Melons", body }).error?.issues[0]?.message).toBe(message);
});
