/** Every text of the shop, read from its MDX file. Adding a post is adding a file to posts/. */
import type { MDXContent } from "mdx/types.js";
import type { z } from "zod";
import {
  aboutSchema,
  howItWorksSchema,
  legalTextSchema,
  plainTextSchema,
  postSchema,
  scienceSchema,
  supportSchema,
  type PlainFrontMatter,
  type PostFrontMatter,
} from "./front-matter.ts";
import { isLegal, plainTexts } from "../pages.ts";

type Module = { default: MDXContent; frontmatter: unknown };
export type Text<Front> = { front: Front; Content: MDXContent };
export type Post = Text<PostFrontMatter> & { slug: string };

const modules = import.meta.glob<Module>("./{pages,legal,posts}/*.mdx", { eager: true });

function read<Schema extends z.ZodType>(file: string, schema: Schema): Text<z.output<Schema>> {
  const module = modules[file];
  if (!module) throw new Error(`shop/content has no ${file}.`);
  const front = schema.safeParse(module.frontmatter);
  if (!front.success) throw new Error(`The head of shop/content/${file} is not right: ${front.error.message}`);
  return { front: front.data, Content: module.default };
}

export const pages = {
  howItWorks: read("./pages/how-it-works.mdx", howItWorksSchema),
  science: read("./pages/science.mdx", scienceSchema),
  about: read("./pages/about.mdx", aboutSchema),
  support: read("./pages/support.mdx", supportSchema),
};

const plain = new Map<string, Text<PlainFrontMatter>>(
  plainTexts.map((page) => {
    const file = `./${page.text}.mdx`;
    return [page.path, isLegal(page) ? read(file, legalTextSchema) : read(file, plainTextSchema)];
  }),
);

/** The plain text that stands at an address of shop/pages.ts. */
export function plainTextAt(path: string): Text<PlainFrontMatter> {
  const text = plain.get(path);
  if (!text) throw new Error(`shop/pages.ts has no plain text at ${path}.`);
  return text;
}

/** Newest first. The first one leads the blog. */
export const posts: readonly Post[] = Object.keys(modules)
  .filter((file) => file.startsWith("./posts/"))
  .map((file) => ({ slug: file.slice("./posts/".length, -".mdx".length), ...read(file, postSchema) }))
  .toSorted((a, b) => b.front.date.localeCompare(a.front.date));

/** The post of a slug; for an unknown one the lead post. */
export function findPost(slug: string): Post {
  const post = posts.find((candidate) => candidate.slug === slug) ?? posts[0];
  if (!post) throw new Error("shop/content/posts is empty.");
  return post;
}
