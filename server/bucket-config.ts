/** Where uploaded pictures are kept, by the environment. */
import { join, resolve } from "node:path";
import type { Config } from "../app/config.server.ts";
import { isLocalName } from "../app/http/local-name.ts";
import type { Env } from "./config.ts";

const S3 = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;

/** A bucket is named whole or not at all, and its keys travel encrypted. */
export function checkBucket(env: Env): void {
  const missing = S3.filter((name) => !env[name]);
  if (missing.length === S3.length && !env.S3_REGION) return;
  if (missing.length > 0) {
    throw new Error(
      `${missing.join(", ")} must be set where pictures are kept in a bucket. Unset all of S3_… to keep them in DATA_DIR.`,
    );
  }
  if (!env.S3_ENDPOINT!.startsWith("https:") && !isLocalName(new URL(env.S3_ENDPOINT!).hostname)) {
    throw new Error("S3_ENDPOINT must begin with https:// where it is not this machine.");
  }
}

/** Where uploaded pictures are kept: in the bucket, else in a folder of DATA_DIR. */
export function picturesOf(env: Env): Config["pictures"] {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: name, S3_ACCESS_KEY_ID: accessKeyId, S3_REGION: region } = env;
  const { S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!endpoint || !name || !accessKeyId || !secretAccessKey)
    return { folder: join(resolve(env.DATA_DIR), "pictures") };
  return { bucket: { endpoint, name, accessKeyId, secretAccessKey, region: region ?? "us-east-1" } };
}
