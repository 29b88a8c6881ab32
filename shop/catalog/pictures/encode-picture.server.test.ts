import sharp from "sharp";
import { expect, it } from "vitest";
import { encodePicture } from "./encode-picture.server.ts";

it("encodes one picture at a time: a small one waits for a large one before it", async () => {
  const picture = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: "#7b8467" } })
      .jpeg()
      .toBuffer();
  const [large, small] = [await picture(1300, 800), await picture(1200, 300)];
  const done: string[] = [];
  await Promise.all([
    encodePicture(large).then(() => done.push("large")),
    encodePicture(small).then(() => done.push("small")),
  ]);
  expect(done).toEqual(["large", "small"]);
});
