import { expect, it } from "vitest";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { z } from "#shop/zod.ts";
import { readForm, readUpload, refused } from "./form.server.ts";

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

/** Reads a form with photos from a body of `pieces`; `read` counts those that were asked for. */
function upload(pieces: string[], boundary = "b") {
  const left = pieces.map((piece) => Buffer.from(piece));
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => (left.length > 0 ? controller.enqueue(left.shift()!) : controller.close()),
  });
  const headers = { "Content-Type": `multipart/form-data; boundary=${boundary}` };
  const init = { method: "POST", headers, body, duplex: "half" };
  const fields = { names: ["a"], lists: ["id"], fileField: "photos", maxFiles: 3 };
  return {
    result: readUpload(new Request("http://localhost/", init), fields),
    read: () => pieces.length - left.length,
  };
}
const part = (name: string, value = "x", more = "") =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const photo = (name = "photos") => part(name, "bytes", '; filename="one.jpg"');

it("an upload has its fields, and each file with its slot", async () => {
  const empty = part("photos", "", '; filename=""');
  const { form, files } = await upload([part("a"), photo(), empty, photo(), "--b--\r\n"]).result;
  expect(form.get("a")).toBe("x");
  expect(files.map(({ file, slot }) => [file.name, file.size, slot])).toEqual([
    ["one.jpg", 5, 0],
    ["one.jpg", 5, 2],
  ]);
  expect(Buffer.from(files[0]!.file.bytes()).toString()).toBe("bytes");
});

/** Pieces of which few are read before the refusal. */
const many = (piece: string) => Array<string>(10_000).fill(piece);
it.each([
  ["more parts than a form has", many(part("id"))],
  ["more files than are taken", many(photo())],
  ["empty files without end", many(part("photos", "", '; filename=""'))],
  ["a file elsewhere", many(photo("a"))],
  ["an unknown field", many(part("b"))],
  ["headers without end", [part("a").split("\r\n\r\n")[0]!, ...many("\r\nx: y".repeat(100))]],
  ["a header line without end", ["--b\r\n", ...many("x".repeat(600))]],
  ["a field that is too long", [part("a", "x".repeat(60_001)), ...many(part("a"))]],
  ["parts within a part", [part("a", "", "\r\nContent-Type: multipart/mixed; boundary=c"), ...many(part("b"))]],
  ["no boundary at its begin", many("\r\n".repeat(100))],
])("an upload with %s is refused before the rest is read", async (_what, pieces) => {
  const { result, read } = upload(pieces);
  await expect(result).rejects.toMatchObject({ status: 400 });
  expect(read()).toBeLessThan(100);
});

it.each([
  ["without an end", [part("a")]],
  ["with what only looks like its boundary", [part("a"), "--B--\r\n--bb--\r\n"]],
  ["of nothing", []],
  ["of bytes that are no text", ["--b\r\nContent-Disposition: form-data; name=a\r\n\r\n", "\xff"]],
])("an upload %s did not arrive whole", async (_what, pieces) => {
  await expect(upload(pieces).result).rejects.toMatchObject({ status: 400 });
});

it("a refusal repeats what was typed, but no secret", () => {
  const secrets = ["password", "confirmPassword", "currentPassword", "code", "itemId"];
  const form = new URLSearchParams([["email", "typed"], ...secrets.map((name) => [name, `secret ${name}`])]);
  const answer = JSON.stringify(refused(parseForm(form, z.object({})), "No."));
  expect([answer.includes("typed"), answer.includes("secret")]).toEqual([true, false]);
});
