/** How the shop's texts are compiled: MDX with YAML front matter. The build and the tests share it. */
import mdx from "@mdx-js/rollup";
import remarkFrontmatter from "remark-frontmatter";
import remarkMdxFrontmatter from "remark-mdx-frontmatter";

export const contentPlugin = () => mdx({ remarkPlugins: [remarkFrontmatter, remarkMdxFrontmatter] });
