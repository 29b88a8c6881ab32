type Refusal = { issues: { path: PropertyKey[]; message: string }[] };

/** The first message of each field, to show under it. */
export function fieldErrors<Field extends string>({ issues }: Refusal): Partial<Record<Field, string>> {
  const errors: Partial<Record<Field, string>> = {};
  for (const { path, message } of issues) errors[path[0] as Field] ??= message;
  return errors;
}
