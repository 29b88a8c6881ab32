import { expect, it } from "vitest";
import { readForm } from "./form.server.ts";

/** Reads a form with `fields` fields named "a", of which it may have one, and a list named "id" of `listed`. */
const read = (listed: number, { lists = ["id"], fields = 1 } = {}) => {
  const body = [...Array<string>(fields).fill("a=1"), ...Array<string>(listed).fill("id=1")].join("&");
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return readForm(new Request("http://localhost/", { method: "POST", headers, body }), ["a"], lists);
};

it("a form has a field for each row of a list", async () => {
  expect((await read(300)).getAll("id")).toHaveLength(300);
});

it.each([
  ["a list beyond all that a page shows", () => read(400)],
  ["more fields than a form has", () => read(0, { fields: 61, lists: [] })],
  ["a field twice", () => read(1, { fields: 2 })],
])("%s is refused", async (_word, act) => {
  await expect(act()).rejects.toMatchObject({ status: 400 });
});
