/** What several variables of the environment have in common. */
import { z } from "zod";
import { isLocalName } from "../app/http/local-name.ts";

/** Set to nothing is the same as unset. */
export const optional = (schema: z.ZodType<string>) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

/** Whether an address is on this machine. */
export const isLocal = (url: string) => new URL(url).hostname === "" || isLocalName(new URL(url).hostname);
