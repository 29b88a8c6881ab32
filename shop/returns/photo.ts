/** Photos that customers add to a return. */
import { MAX_PHOTOS } from "./return.ts";

const MEGABYTE = 1024 * 1024;

/** Size of one upload; current phones stay below it. */
export const MAX_UPLOAD_BYTES = 10 * MEGABYTE;
/** Size of one stored photo. */
export const MAX_PHOTO_BYTES = 4 * MEGABYTE;

/** Types that a file input offers; phones then convert their own formats. */
export const PHOTO_TYPES = "image/jpeg,image/png,image/webp,image/avif";

export const TOO_LARGE = `Each photo can have up to ${MAX_UPLOAD_BYTES / MEGABYTE} MB`;

/** The problem of a choice of files, before they are read. */
export function uploadProblem(files: { size: number }[]): string | null {
  if (files.length > MAX_PHOTOS) return `Choose up to ${MAX_PHOTOS} photos`;
  return files.some(({ size }) => size > MAX_UPLOAD_BYTES) ? TOO_LARGE : null;
}
