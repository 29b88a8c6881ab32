import type { FieldMetadata } from "@conform-to/react";

/** A form field's side for the controls of field.tsx. */
export function control(field: Pick<FieldMetadata, "id" | "name" | "errorId" | "errors" | "initialValue">) {
  const { id, name, errorId, errors, initialValue } = field;
  return { id, name, errorId, error: errors?.[0], defaultValue: initialValue as string | undefined };
}
