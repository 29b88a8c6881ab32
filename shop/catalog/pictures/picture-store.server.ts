/** Where uploaded pictures are kept: in a folder, or in a bucket that several machines share. They are never changed. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openBucket } from "./bucket.server.ts";

export type PictureFile = { name: string; body: Uint8Array };

export type Bucket = { endpoint: string; region: string; name: string; accessKeyId: string; secretAccessKey: string };
export type PicturePlace = { folder: string } | { bucket: Bucket };

const NAME = /^u-[0-9a-f]{20}-\d{3,4}x\d{2,4}-[0-9a-f]{6}(?:-[a-z]+)?-(?:\d{3,4}\.(avif|webp)|og\.(jpg))$/;
const TYPES: Record<string, string> = { avif: "image/avif", webp: "image/webp", jpg: "image/jpeg" };

/** The type of a file by its name; null for a name that no uploaded picture has. */
export function pictureType(name: string): string | null {
  const [, ending, share] = NAME.exec(name) ?? [];
  return TYPES[ending ?? share ?? ""] ?? null;
}

const known = (name: string) => {
  const type = pictureType(name);
  if (!type) throw new Error("this is no name of a picture");
  return type;
};

/** Keeps files for good; one that is there already stays. */
export async function keepPictures(place: PicturePlace, files: PictureFile[]): Promise<void> {
  if ("bucket" in place) {
    const bucket = await openBucket(place.bucket);
    for (const { name, body } of files) await bucket.put(name, body, known(name));
    return;
  }
  await mkdir(place.folder, { recursive: true, mode: 0o700 });
  for (const { name, body } of files) {
    known(name);
    // Whoever asks for it meanwhile gets all of it, or nothing.
    const part = join(place.folder, `.${name}.${process.pid}`);
    await writeFile(part, body);
    await rename(part, join(place.folder, name));
  }
}

/** A file by its name; null where there is none. */
export async function readPicture(place: PicturePlace, name: string): Promise<Uint8Array<ArrayBuffer> | null> {
  known(name);
  if ("bucket" in place) return (await openBucket(place.bucket)).get(name);
  return readFile(join(place.folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}
