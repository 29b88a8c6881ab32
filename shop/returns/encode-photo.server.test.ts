import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { encodePhoto } from "./encode-photo.server.ts";

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#7b8467" } });

/** A photo of a phone: on its side, with the place where it was taken. */
const fromPhone = (width: number, height: number) =>
  plain(width, height)
    .withExif({
      IFD0: { Make: "Phone", Orientation: "6" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "40/1 42/1 46/1", GPSLongitudeRef: "W", GPSLongitude: "74/1 0/1 22/1" },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

const accepted = async (bytes: Uint8Array) => {
  const encoded = await encodePhoto(bytes);
  if ("problem" in encoded) throw new Error(encoded.problem);
  return { ...(await sharp(encoded.body).metadata()), bytes: encoded.body };
};

describe("a photo", () => {
  it("is turned upright and made smaller, without its place, time and device", async () => {
    const taken = await fromPhone(3000, 1500);
    const before = await sharp(taken).metadata();
    expect([before.orientation, before.exif?.includes("Phone")]).toEqual([6, true]);
    const { format, width, height, exif, xmp, iptc, icc, orientation, bytes } = await accepted(taken);
    expect({ format, width, height }).toEqual({ format: "jpeg", width: 1000, height: 2000 });
    expect([exif, xmp, iptc, icc, orientation]).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect(bytes.includes("Exif")).toBe(false);
  });

  it.each(["jpeg", "png", "webp", "avif"] as const)("may be a %s, and is never enlarged", async (format) => {
    const { width, format: encoded } = await accepted(await plain(90, 60).toFormat(format).toBuffer());
    expect([width, encoded]).toEqual([90, "jpeg"]);
  });

  const HUGE = "too many pixels";
  const OTHER = "can’t read this file";
  it.each<[string, () => Promise<Uint8Array>, string]>([
    ["a bomb of few bytes", () => plain(9_000, 9_000).png().toBuffer(), HUGE],
    ["an AVIF whose memory is that of such a bomb", () => plain(4_000, 3_100).avif({ effort: 0 }).toBuffer(), HUGE],
    [
      "an SVG with a script",
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      OTHER,
    ],
    ["a page", async () => Buffer.from("<!doctype html><script>alert(1)</script>"), OTHER],
    ["a GIF", () => plain(10, 10).gif().toBuffer(), OTHER],
    ["a TIFF", () => plain(10, 10).tiff().toBuffer(), OTHER],
    ["nothing", async () => new Uint8Array(), OTHER],
    ["a photo cut off", async () => (await fromPhone(800, 600)).subarray(0, -200), "damaged"],
  ])("is refused if it is %s", async (_, make, problem) => {
    expect(await encodePhoto(await make())).toMatchObject({ problem: expect.stringContaining(problem) });
  });

  it("keeps nothing that follows the picture", async () => {
    const { bytes } = await accepted(
      Buffer.concat([await fromPhone(80, 60), Buffer.from("<script>alert(1)</script>")]),
    );
    expect(bytes.includes("script")).toBe(false);
  });
});
