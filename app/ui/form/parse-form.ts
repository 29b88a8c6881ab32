import { parseWithZod } from "@conform-to/zod/v4";
import type { z } from "#shop/zod.ts";

/** Validates a form by its schema, in the browser and on the server alike. */
export const parseForm = <Schema extends z.ZodType>(form: FormData | URLSearchParams, schema: Schema) =>
  parseWithZod(form, { schema });
