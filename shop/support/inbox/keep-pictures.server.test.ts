import sharp from "sharp";
import { beforeAll, expect, it } from "vitest";
import { encodePhoto } from "#shop/returns/encode-photo.server.ts";
import { keepPictures } from "./keep-pictures.server.ts";

const png = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: "#7b8467" } })
    .png({ compressionLevel: 9 })
    .toBuffer();

/** By millions of pixels, and one of 36 that ends too early. */
const pictures: Record<"36" | "25" | "1" | "damaged", Buffer> = {} as never;

beforeAll(async () => {
  const whole = await png(6_000);
  Object.assign(pictures, { 36: whole, 25: await png(5_000), 1: await png(1_000), damaged: whole.subarray(0, -2_000) });
});

const keep = async (...names: (keyof typeof pictures)[]) => {
  const attachments = names.map((name) => ({ name, type: "image/png", bytes: pictures[name] }));
  const { pictures: kept, refused } = await keepPictures(attachments);
  return [kept.map(({ name }) => name), refused];
};

it("an email has pictures of sixty million pixels together, those of damaged ones included", async () => {
  expect(await keep("36", "25", "1")).toEqual([["36", "1"], ["25"]]);
  expect(await keep("damaged", "25", "1")).toEqual([["1"], ["damaged", "25"]]);
});

it("a photo of a return does not wait for pictures in emails", async () => {
  const done: string[] = [];
  const mails = Array.from({ length: 3 }, async () => {
    await encodePhoto(pictures["36"], { source: "mail" });
    done.push("mail");
  });
  await encodePhoto(pictures["1"]);
  done.push("return");
  await Promise.all(mails);
  expect(done.at(-1)).toBe("mail");
});
