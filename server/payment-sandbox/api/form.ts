/** Reads nested parameters as Stripe's clients send them: `line_items[0][quantity]=2`. */
import { invalidRequest } from "../refusal.ts";

export type Value = string | Value[] | { [name: string]: Value };
export type Params = { [name: string]: Value };

const MAX_FIELDS = 1_000;
const MAX_DEPTH = 8;

type Node = { text: string } | { fields: Map<string, Node> };

const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

function pathOf(name: string): string[] {
  const [, first = "", rest = ""] = NAME.exec(name) ?? [];
  const path = [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, part = ""]) => part)];
  if (first === "" || path.length > MAX_DEPTH) throw invalidRequest(`Invalid parameter name: ${name.slice(0, 100)}`);
  return path;
}

/** Where every name is a place in a list, from nothing on, it is one: `a[0]`, and `a[]` too. */
const isList = (names: string[]) => names.length > 0 && names.every((name, place) => name === String(place));

function plain(node: Node): Value {
  if ("text" in node) return node.text;
  const entries = [...node.fields].map(([name, field]): [string, Value] => [name, plain(field)]);
  return isList(entries.map(([name]) => name)) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

export function readForm(form: URLSearchParams): Params {
  if (form.size > MAX_FIELDS) throw invalidRequest("Too many parameters.");
  const root = new Map<string, Node>();
  for (const [name, text] of form) {
    const path = pathOf(name);
    let fields = root;
    for (const [depth, part] of path.entries()) {
      const key = part === "" ? String(fields.size) : part;
      if (depth === path.length - 1) {
        fields.set(key, { text });
        break;
      }
      const next = fields.get(key) ?? { fields: new Map<string, Node>() };
      if ("text" in next) throw invalidRequest("Invalid object", { param: path[0] ?? name });
      fields.set(key, next);
      fields = next.fields;
    }
  }
  return Object.fromEntries([...root].map(([name, node]) => [name, plain(node)]));
}
