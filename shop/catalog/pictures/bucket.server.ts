/** A bucket that speaks S3. Its client is loaded with the first picture, and only where there is a bucket. */
import type { Bucket } from "./picture-store.server.ts";

type Opened = {
  put(name: string, body: Uint8Array, type: string): Promise<void>;
  /** Null where there is no such object. */
  get(name: string): Promise<Uint8Array<ArrayBuffer> | null>;
};

const FOLDER = "pictures/";
const YEAR = "public, max-age=31536000, immutable";
let opened: Promise<Opened> | undefined;

/** One client for the life of the process: its configuration does not change. */
export const openBucket = (bucket: Bucket): Promise<Opened> => (opened ??= open(bucket));

async function open({ endpoint, region, name: Bucket, accessKeyId, secretAccessKey }: Bucket): Promise<Opened> {
  const { GetObjectCommand, PutObjectCommand, S3Client } = await import("@aws-sdk/client-s3");
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Most that speak S3 know a bucket by its path; not all of them know the newer checksums.
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
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
