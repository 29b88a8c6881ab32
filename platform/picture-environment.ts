/** Picture storage from the environment. */
import { join, resolve } from "node:path";
import { z } from "zod";
import type { Config } from "./config.server.ts";
import type { Env } from "./environment.ts";
import { isLocal, optional } from "./environment-values.ts";

export const pictureVariables = {
  S3_ENDPOINT: optional(
    z.url({
      protocol: /^https?$/,
      error:
        "S3_ENDPOINT must be the full address of the storage, for example S3_ENDPOINT=https://s3.us-east-1.amazonaws.com.",
    }),
  ),
  S3_BUCKET: optional(
    z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
        "S3_BUCKET must be the name of a bucket: small letters, digits, dots and hyphens.",
      ),
  ),
  S3_ACCESS_KEY_ID: optional(z.string()),
  S3_SECRET_ACCESS_KEY: optional(z.string()),
  S3_REGION: optional(z.string()),
};

const S3 = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;

/** A bucket needs all its variables, and an encrypted connection for its keys. */
export function checkPictures(env: Env): void {
  const missing = S3.filter((name) => !env[name]);
  if (missing.length === S3.length && !env.S3_REGION) return;
  if (missing.length > 0) {
    throw new Error(
      `${missing.join(", ")} must be set where pictures are kept in a bucket. Unset all of S3_… to keep them in DATA_DIR.`,
    );
  }
  if (!env.S3_ENDPOINT!.startsWith("https:") && !isLocal(env.S3_ENDPOINT!)) {
    throw new Error("S3_ENDPOINT must begin with https:// where it is not this machine.");
  }
}

export function picturesOf(env: Env): Config["pictures"] {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: name, S3_ACCESS_KEY_ID: accessKeyId, S3_REGION: region } = env;
  const { S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!endpoint || !name || !accessKeyId || !secretAccessKey)
    return { folder: join(resolve(env.DATA_DIR), "pictures") };
  return { bucket: { endpoint, name, accessKeyId, secretAccessKey, region: region ?? "us-east-1" } };
}
