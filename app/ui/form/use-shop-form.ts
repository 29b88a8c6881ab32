import { useForm, type DefaultValue, type SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import type { z } from "zod";

type ShopFormOptions<Schema extends z.ZodObject> = {
  id: string;
  schema: Schema;
  /** What the server said about the last try. */
  lastResult: SubmissionResult | undefined;
  defaultValue?: DefaultValue<z.input<Schema>>;
};

/**
 * A form checked by `schema` as on the server: a field when it is left, then with every key. Without JavaScript the
 * server's own words stand under the fields, not the browser's.
 */
export function useShopForm<Schema extends z.ZodObject>({
  id,
  schema,
  lastResult,
  defaultValue,
}: ShopFormOptions<Schema>) {
  return useForm<z.input<Schema>, z.output<Schema>>({
    id,
    lastResult: lastResult ?? null,
    defaultValue,
    defaultNoValidate: true,
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseWithZod(formData, { schema }),
  });
}
