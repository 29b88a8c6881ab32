/** The MDX plugin with YAML front matter, shared by the build and the tests. */
import type { Plugin } from "vite";
import mdx from "@mdx-js/rollup";
import remarkFrontmatter from "remark-frontmatter";
import remarkMdxFrontmatter from "remark-mdx-frontmatter";

const HEAD = /^---\n[\s\S]*?\n---\n/;

/** The editor renders a text with names, such as {returnDays}, in place of its numbers, which it gives as `words`. */
const namesForTheEditor: Plugin = {
  name: "names-for-the-editor",
  enforce: "pre",
  transform(source, id) {
    if (!id.endsWith(".mdx")) return null;
    const head = HEAD.exec(source)?.[0] ?? "";
    const body = source
      .slice(head.length)
      .replaceAll(/\bpolicyWords\(\)\./g, "(props.words ?? policyWords()).")
      .replaceAll(/(?<=[{(])supportEmail\(\)/g, "(props.words?.supportEmail ?? supportEmail())");
    return { code: head + body, map: null };
  },
};

export const contentPlugin = () => [
  namesForTheEditor,
  mdx({ remarkPlugins: [remarkFrontmatter, remarkMdxFrontmatter] }),
];
