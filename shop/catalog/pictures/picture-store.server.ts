/** Storage of uploaded pictures: a folder, or a bucket shared by several machines. Files are immutable. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

export type PictureFile = { name: string; body: Uint8Array };

type Bucket = { endpoint: string; region: string; name: string; accessKeyId: string; secretAccessKey: string };
export type PicturePlace = { folder: string } | { bucket: Bucket };

const NAME = /^u-[0-9a-f]{20}-\d{3,4}x\d{2,4}-[0-9a-f]{6}(?:-[a-z]+)?-(?:\d{3,4}\.(avif|webp)|(?:og|mail)\.(jpg))$/;
const TYPES: Record<string, string> = { avif: "image/avif", webp: "image/webp", jpg: "image/jpeg" };

/** Media type by file name; null if it cannot be an uploaded picture. */
export function pictureType(name: string): string | null {
  const [, ending, share] = NAME.exec(name) ?? [];
  return TYPES[ending ?? share ?? ""] ?? null;
}

const known = (name: string) => {
  const type = pictureType(name);
  if (!type) throw new Error("this is no name of a picture");
  return type;
};

/** Stores files; existing ones stay. */
export async function storePictures(place: PicturePlace, files: PictureFile[]): Promise<void> {
  if ("bucket" in place) {
    const bucket = await openBucket(place.bucket);
    await Promise.all(files.map(({ name, body }) => bucket.put(name, body, known(name))));
    return;
  }
  await mkdir(place.folder, { recursive: true, mode: 0o700 });
  for (const { name, body } of files) {
    known(name);
    // A rename is atomic: readers get the whole file or none.
    const part = join(place.folder, `.${name}.${process.pid}`);
    await writeFile(part, body);
    await rename(part, join(place.folder, name));
  }
}

export async function readPicture(place: PicturePlace, name: string): Promise<Uint8Array<ArrayBuffer> | null> {
  known(name);
  if ("bucket" in place) return (await openBucket(place.bucket)).get(name);
  return readFile(join(place.folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

/** S3 bucket. The client is loaded on first use, because few shops have a bucket. */

type Opened = {
  put(name: string, body: Uint8Array, type: string): Promise<void>;
  get(name: string): Promise<Uint8Array<ArrayBuffer> | null>;
};

const FOLDER = "pictures/";
const TIMEOUT_MS = 10_000;
const YEAR = "public, max-age=31536000, immutable";
let opened: Promise<Opened> | undefined;

const openBucket = (bucket: Bucket): Promise<Opened> => (opened ??= open(bucket));

async function open({ endpoint, region, name: Bucket, accessKeyId, secretAccessKey }: Bucket): Promise<Opened> {
  const { GetObjectCommand, PutObjectCommand, S3Client } = await import("@aws-sdk/client-s3");
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Path-style addresses and no optional checksums, for S3 implementations other than Amazon's.
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: 3_000,
      requestTimeout: TIMEOUT_MS,
      throwOnRequestTimeout: true,
      socketTimeout: TIMEOUT_MS,
    },
  });
  return {
    async put(name, Body, ContentType) {
      await client.send(new PutObjectCommand({ Bucket, Key: FOLDER + name, Body, ContentType, CacheControl: YEAR }));
    },
    async get(name) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: FOLDER + name }));
        return Body ? new Uint8Array(await Body.transformToByteArray()) : null;
      } catch (error) {
        if (["NoSuchKey", "NotFound"].includes((error as Error).name)) return null;
        throw error;
      }
    },
  };
}
