/** Call parameters: Stripe's nested form encoding, checked strictly so that a misspelled parameter is refused. */
import type { z } from "zod";
import { invalidRequest } from "./payment.ts";

type Fields = { [name: string]: string | Fields };
type Value = string | Value[] | { [name: string]: Value };

function plain(node: string | Fields): Value {
  if (typeof node === "string") return node;
  const entries = Object.entries(node).map(([name, field]): [string, Value] => [name, plain(field)]);
  const isList = entries.length > 0 && entries.every(([name], place) => name === String(place));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

/** Parses `line_items[0][quantity]=2` and `expand[]=charge`. */
function readForm(form: URLSearchParams): Value {
  const root: Fields = Object.create(null) as Fields;
  for (const [name, text] of form) {
    const path = name.split(/\]?\[|\]$/).slice(0, name.endsWith("]") ? -1 : undefined);
    const last = path.pop() ?? "";
    let fields = root;
    for (const part of path) {
      const next = (fields[part] ??= Object.create(null) as Fields);
      if (typeof next === "string") throw invalidRequest("Invalid object", { param: part });
      fields = next;
    }
    fields[last === "" ? String(Object.keys(fields).length) : last] = text;
  }
  return plain(root);
}

/** Throws a Refusal that names the first wrong parameter. */
export function check<Schema extends z.ZodType>(schema: Schema, form: URLSearchParams): z.output<Schema> {
  const checked = schema.safeParse(readForm(form));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const [first = "", ...rest] = [...(issue?.path ?? []), ...unknown].map(String);
  throw invalidRequest(issue?.message ?? "Invalid request", {
    param: first + rest.map((part) => `[${part}]`).join(""),
    ...(unknown.length > 0 && { code: "parameter_unknown" }),
  });
}
