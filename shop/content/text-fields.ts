/** Words of a text outside its Markdown: the strings of its front matter, by their place ("steps-0-title"). */

/** Characters of a description, which search engines show. */
export const MIN_DESCRIPTION = 40;
export const MAX_DESCRIPTION = 170;

/** Names of pictures and products, and days, are no words. `related` is a list of products, one in a line. */
const NOT_WORDS = new Set(["picture", "side", "updated", "date", "category", "tone", "related"]);

type Tree = Record<string, unknown>;

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

/** The words of a front matter, in its order. */
export function fieldsOf(front: Tree, place = ""): Record<string, string> {
  return Object.fromEntries(
    Object.entries(front).flatMap(([name, value]): [string, string][] => {
      if (NOT_WORDS.has(name)) return [];
      const here = place + name;
      if (typeof value === "string") return [[here, value]];
      return isTree(value) ? Object.entries(fieldsOf(value, `${here}-`)) : [];
    }),
  );
}

/** A copy of the front matter with these words. Places that it does not have are ignored, except at the top. */
export function withFields(front: Tree, fields: Record<string, string>): Tree {
  const copy = structuredClone(front);
  for (const [place, value] of Object.entries(fields)) {
    const names = place.split("-");
    const last = names.pop()!;
    const parent = names.reduce<unknown>((tree, name) => (isTree(tree) ? tree[name] : undefined), copy);
    if (isTree(parent) && (names.length === 0 || typeof parent[last] === "string")) parent[last] = value;
  }
  return copy;
}
