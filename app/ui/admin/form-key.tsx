/** Key of a form against double sending. */
import { useFormMetadata } from "@conform-to/react";
import { useState } from "react";
import type { ActionResult } from "#app/ui/form/action-result.ts";
import { useActionResult } from "#app/ui/form/form.tsx";

type Answer = ActionResult | undefined;
type Kept = { key: string; answer: Answer };

/** The key that a form has on: `fresh` once it was answered with a success, else the one it has. */
export const nextKey = (kept: Kept, fresh: string, answer: Answer): Kept =>
  answer?.ok && answer !== kept.answer && fresh !== kept.key ? { key: fresh, answer } : kept;

/**
 * Hidden field with the key of the surrounding form. Reloads of the page bring `fresh` ones, but a retry after a lost answer
 * needs the same again.
 */
export function FormKey({ name = "formKey", fresh }: { name?: string; fresh: string }) {
  const answer = useActionResult(useFormMetadata().id);
  const [kept, setKept] = useState<Kept>({ key: fresh, answer });
  const next = nextKey(kept, fresh, answer);
  if (next !== kept) setKept(next);
  return <input type="hidden" name={name} value={next.key} />;
}
