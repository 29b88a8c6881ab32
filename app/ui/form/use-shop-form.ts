import { useEffect } from "react";
import { useForm, type DefaultValue, type SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import type { z } from "zod";
import { afterPaint } from "../overlay/after-paint.ts";

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
  const [form, fields] = useForm<z.input<Schema>, z.output<Schema>>({
    id,
    lastResult: lastResult ?? null,
    defaultValue,
    defaultNoValidate: true,
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseWithZod(formData, { schema }),
  });
  const { validate } = form;
  useEffect(() => {
    const stop = new AbortController();
    let isByKey = false;
    const check = ({ target: field }: FocusEvent) => {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) return;
      if (field.form?.id !== id || !field.name) return;
      const now = () => field.isConnected && validate({ name: field.name });
      // What a key leads to is scrolled to, and must stay in sight; what is pressed answers first.
      if (isByKey) now();
      else afterPaint(now);
    };
    addEventListener("keydown", () => (isByKey = true), { capture: true, signal: stop.signal });
    addEventListener("pointerdown", () => (isByKey = false), { capture: true, signal: stop.signal });
    document.addEventListener("focusout", check, stop);
    return () => stop.abort();
  }, [id, validate]);
  return [form, fields] as const;
}
