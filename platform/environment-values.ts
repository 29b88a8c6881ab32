/** Helpers for environment variables. */
import { z } from "zod";

/** Empty means unset. */
export const optional = (schema: z.ZodType<string>) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

/** True for the loopback names as they appear in a URL. */
export const isLocalName = (hostname: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

export const isLocal = (url: string) => new URL(url).hostname === "" || isLocalName(new URL(url).hostname);
