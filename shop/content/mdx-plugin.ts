/** The MDX plugin with YAML front matter, shared by the build and the tests. */
import mdx from "@mdx-js/rollup";
import remarkFrontmatter from "remark-frontmatter";
import remarkMdxFrontmatter from "remark-mdx-frontmatter";

export const contentPlugin = () => mdx({ remarkPlugins: [remarkFrontmatter, remarkMdxFrontmatter] });
