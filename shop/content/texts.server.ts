/** All texts, read from MDX files. A new post is a new file in posts/. */
import type { MDXContent } from "mdx/types.js";
import { z } from "#shop/zod.ts";
import { isLegal, plainTexts } from "#shop/pages.ts";
import { showsSamples } from "#shop/payment-mode.ts";
import { policy } from "#shop/policies.ts";
import { dayText, type PolicyWords } from "#shop/policy-text.ts";
import { policyWords } from "#shop/settings/settings.server.ts";

/** Placeholders such as {policyWords().returnDays} work in front matter as in MDX. */
const withNumbers = (text: string) =>
  text.replace(/\{policyWords\(\)\.(\w+)\}/g, (_written, name: string) => {
    if (!Object.hasOwn(policyWords(), name)) throw new Error(`shop/policy-text.ts has no ${name}.`);
    return policyWords()[name as keyof PolicyWords];
  });

const text = z.string().overwrite(withNumbers).trim().min(1);
const described = z.object({ title: text, description: text.min(40).max(170) });

const POST_CATEGORIES = ["Tips", "Science", "Sustainability"] as const;

const postSchema = described.extend({
  category: z.enum(POST_CATEGORIES),
  /** Publication day, YYYY-MM-DD. */
  date: z.iso.date(),
  picture: text,
  pictureAlt: text,
  related: z.array(text).max(3),
});

/** Day of the last change of the text, YYYY-MM-DD, for the sitemap. */
const page = described.extend({ heading: text, intro: text, updated: z.iso.date() });

const plainTextSchema = described.extend({ intro: text, updated: z.iso.date() });
/** A legal text without a day of its own is as old as the policies. */
const legalTextSchema = plainTextSchema.extend({ updated: z.iso.date().default(policy.effectiveDate) });

const percent = z.number().min(0).max(100);
const card = z.object({ figure: text, title: text, text });

const howItWorksSchema = page.extend({
  steps: z.array(z.object({ title: text, text, picture: text, pictureAlt: text })).length(4),
  inside: z.object({
    heading: text,
    picture: text,
    pictureAlt: text,
    /** Position of the number on the picture, in percent, and its side. */
    parts: z.array(z.object({ title: text, text, x: percent, y: percent, side: z.enum(["left", "right"]) })).min(1),
  }),
  closing: text,
});

const scienceSchema = page.extend({ cards: z.array(card).length(3) });

const stats = z.array(z.object({ figure: text, label: text })).length(3);
/** With real payments the `measured` figures take the place of `stats`. */
const aboutSchema = page
  .extend({ stats, measured: stats })
  .transform(({ measured, ...front }) => (showsSamples() ? front : { ...front, stats: measured }));

type PostFrontMatter = z.output<typeof postSchema>;
/** `dates` are shown above the text. */
type PlainFrontMatter = z.output<typeof plainTextSchema> & { dates: string[] };

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

/** The texts with a layout of their own, with the numbers of now in their front matter. */
export const pages = () => ({
  howItWorks: read("./pages/how-it-works.mdx", howItWorksSchema),
  science: read("./pages/science.mdx", scienceSchema),
  about: read("./pages/about.mdx", aboutSchema),
  support: read("./pages/support.mdx", page),
});

export function plainTextAt(path: string): Text<PlainFrontMatter> {
  const page = plainTexts.find((candidate) => candidate.path === path);
  if (!page) throw new Error(`shop/pages.ts has no plain text at ${path}.`);
  const { front, Content } = read(`./${page.text}.mdx`, isLegal(page) ? legalTextSchema : plainTextSchema);
  const day = dayText(front.updated);
  const dates = [...(isLegal(page) ? [`Effective date: ${day}`] : []), `Last updated: ${day}`];
  return { front: { ...front, dates }, Content };
}

/** Posts, newest first; the first leads the blog. */
export const posts = (): readonly Post[] =>
  Object.keys(modules)
    .filter((file) => file.startsWith("./posts/"))
    .map((file) => ({ slug: file.slice("./posts/".length, -".mdx".length), ...read(file, postSchema) }))
    .toSorted((a, b) => b.front.date.localeCompare(a.front.date));

/** The post of a slug, or the lead post. */
export function findPost(slug: string): Post {
  const all = posts();
  const post = all.find((candidate) => candidate.slug === slug) ?? all[0];
  if (!post) throw new Error("shop/content/posts is empty.");
  return post;
}
