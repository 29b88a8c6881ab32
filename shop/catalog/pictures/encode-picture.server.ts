/** Encoding of uploaded pictures for the storefront, without their metadata. */
import { createHash } from "node:crypto";
import { MIN_PICTURE_WIDTH } from "../back-office/product-form.ts";
import { openTurns } from "#shop/turns.ts";
import type { PictureFile } from "./picture-store.server.ts";

const WIDTHS = [400, 800, 1200, 1600];
/** Pixel limit above current cameras; protects the memory. */
export const MAX_PIXELS = 60_000_000;
/** An AVIF is decoded whole, and takes the memory and time of so many pixels of another format for each of its own. */
const AVIF_WEIGHT = 5;
const HASH_CHARACTERS = 20;
/** sharp reports AVIF as its container format. */
const FORMATS = new Set(["jpeg", "png", "webp", "heif"]);

type EncodeResult = { name: string; files: PictureFile[] } | { problem: string };

const PROBLEMS = {
  format: "The shop can’t read this picture. Use a JPEG, PNG, WebP or AVIF.",
  pixels: "This picture has too many pixels. Make it at most 3400 wide and high.",
};

const inTurn = openTurns();

/**
 * Reads the head of an upload, told by its content. `open` decodes it upright, and throws if it is damaged. Refused:
 * 'format', and 'pixels' above `maxPixels`.
 */
export async function openUpload(bytes: Uint8Array, maxPixels = MAX_PIXELS) {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  // Sharp throws at once for an empty file.
  const metadata = await (async () => sharp(bytes, { limitInputPixels: false }).metadata())().catch(() => null);
  if (!metadata || !FORMATS.has(metadata.format) || (metadata.format === "heif" && metadata.compression !== "av1")) {
    return { problem: "format" as const };
  }
  const { width, height } = metadata.autoOrient;
  const pixels = width * height * (metadata.format === "heif" ? AVIF_WEIGHT : 1);
  if (pixels > maxPixels) return { problem: "pixels" as const };
  const open = () => sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error", sequentialRead: true }).autoOrient();
  return { sharp, width, height, pixels, open };
}

/**
 * Decodes a picture by its content, turns it upright and encodes it as art/encode.ts does. Metadata (place, device,
 * time) is removed. The file name holds size and color.
 */
export const encodePicture = (bytes: Uint8Array): Promise<EncodeResult> => inTurn(() => encode(bytes));

async function encode(bytes: Uint8Array): Promise<EncodeResult> {
  const upload = await openUpload(bytes);
  if (upload.problem) return { problem: PROBLEMS[upload.problem] };
  const { sharp, width, height, open } = upload;
  if (width < MIN_PICTURE_WIDTH) {
    return { problem: `This picture is ${width} pixels wide. The shop needs at least ${MIN_PICTURE_WIDTH}.` };
  }
  const ratio = width / height;
  if (ratio > 4 || ratio < 1 / 4) return { problem: "This picture is too long and narrow for the shop's frames." };
  try {
    const widest = Math.min(width, WIDTHS.at(-1)!);
    const upright = await open().resize({ width: widest }).toColorspace("srgb").png({ compressionLevel: 1 }).toBuffer();
    const { channels } = await sharp(upright).stats();
    const color = channels.slice(0, 3).map(({ mean }) => Math.round(mean).toString(16).padStart(2, "0"));
    const hex = color.length === 3 ? color.join("") : (color[0] ?? "ff").repeat(3);
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, HASH_CHARACTERS);
    const tall = Math.round((height * widest) / width);
    const name = `u-${hash}-${widest}x${tall}-${hex}`;
    const files: PictureFile[] = [];
    for (const target of [...WIDTHS.filter((each) => each < widest), widest]) {
      const resized = sharp(upright).resize({ width: target });
      const [avif, webp] = await Promise.all([
        resized.clone().avif({ quality: 60, effort: 3, bitdepth: 10 }).toBuffer(),
        resized.clone().webp({ quality: 80, effort: 5, smartSubsample: true }).toBuffer(),
      ]);
      files.push({ name: `${name}-${target}.avif`, body: avif }, { name: `${name}-${target}.webp`, body: webp });
    }
    for (const [use, size, quality] of [
      ["og", { width: 1200, height: 630 }, 78],
      ["mail", { width: 144, height: 144 }, 82],
    ] as const) {
      const part = sharp(upright)
        .resize({ ...size, fit: "cover" })
        .flatten({ background: "#eae9e6" });
      files.push({ name: `${name}-${use}.jpg`, body: await part.jpeg({ quality, mozjpeg: true }).toBuffer() });
    }
    return { name, files };
  } catch {
    return { problem: "This picture is damaged. Save it again, then try once more." };
  }
}
