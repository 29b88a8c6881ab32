/**
 * All texts: what staff have published, else the MDX edition of the code. A new post of the code is a new file in posts/.
 * Read at each call, since staff change them while the shop runs.
 */
import type { MDXContent } from "mdx/types.js";
import { z } from "#shop/zod.ts";
import { accessoryFaqs, bowlFaqs, type Faq } from "#shop/catalog/product-faqs.ts";
import type { Product } from "#shop/catalog/product.ts";
import { clock } from "#shop/clock.ts";
import { daysAfter, newYorkDay, newYorkMoment } from "#shop/new-york-time.ts";
import { isLegal, plainTexts } from "#shop/pages.ts";
import { showsSamples } from "#shop/payment-mode.ts";
import { policy } from "#shop/policies.ts";
import { dayText } from "#shop/policy-text.ts";
import { homeWords, type HomeWords } from "./home.ts";
import { contentOf, type Parts } from "./markdown.ts";
import { publishedKeys, publishedText, type TextVersion } from "./published.server.ts";
import { policyWords, settingsDays, withSettingsOf } from "#shop/settings/settings.server.ts";
import { MAX_DESCRIPTION, MIN_DESCRIPTION, withFields } from "./text-fields.ts";
import { plainText } from "./text-forms.ts";
import { fillWords, wordNames } from "./text-words.ts";

const text = z.string().overwrite(fillWords).trim().min(1, "This may not be empty");
const description = text
  .min(MIN_DESCRIPTION, {
    error: ({ input }) =>
      `At least ${MIN_DESCRIPTION} characters, for search results: ${MIN_DESCRIPTION - (input as string).length} more`,
  })
  .max(MAX_DESCRIPTION, `At most ${MAX_DESCRIPTION} characters, for search results`);
const described = z.object({ title: text, description });

export const POST_CATEGORIES = ["Tips", "Science", "Sustainability"] as const;

const postSchema = described.extend({
  category: z.enum(POST_CATEGORIES),
  /** Publication day, YYYY-MM-DD. */
  date: z.iso.date("A day, such as 2026-11-26"),
  picture: text,
  pictureAlt: text,
  /** Slugs of products; staff write one in a line. */
  related: z.preprocess(
    (slugs) => (typeof slugs === "string" ? slugs.split(/\s+/).filter(Boolean) : slugs),
    z.array(text).max(3, "At most three products"),
  ),
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
/** `dates` are shown above the text. `updated` is the day of the text itself, `lastUpdated` also that of its numbers. */
type PlainText = Text<z.output<typeof plainTextSchema> & { dates: string[]; lastUpdated: string }>;

type Module = { default: MDXContent; frontmatter: Record<string, unknown> };
export type Text<Front> = { front: Front; Content: MDXContent };
export type Post = Text<PostFrontMatter> & { slug: string };

const modules = import.meta.glob<Module>("./{pages,legal,posts}/*.mdx", { eager: true });

/** The edition of the code, by key: "pages-about" is pages/about.mdx. */
export const firstEdition = (key: string): Module | undefined => modules[`./${key.replace("-", "/")}.mdx`];

/** As the edition of the code: the same places, each with words. */
function shapeOf(front: unknown): z.ZodType {
  if (typeof front === "string") return text;
  if (Array.isArray(front)) return z.array(shapeOf(front[0])).length(front.length);
  if (typeof front !== "object" || front === null) return z.unknown();
  return z.object(Object.fromEntries(Object.entries(front).map(([name, value]) => [name, shapeOf(value)])));
}

const noticeSchema = z.object({
  text: text.max(160, "At most 160 characters"),
  to: z.string().regex(/^(?:\/(?![/\\]).*|https:\/\/.+)?$/, "A page such as /shop, or an address with https://"),
  label: z.string().max(40, "At most 40 characters"),
  until: z.string().refine((at) => at === "" || newYorkMoment(at) !== null, "There is no such time in New York"),
});

/** Texts without a file of their own. */
const FRONTS: Record<string, () => Record<string, unknown>> = {
  home: () => homeWords(wordNames),
  faq: () => ({}),
  notice: () => ({ text: "", to: "", label: "", until: "" }),
};

/** The front matter of the edition of the code. */
export const firstFront = (key: string): Record<string, unknown> | undefined =>
  Object.hasOwn(FRONTS, key) ? FRONTS[key]!() : firstEdition(key)?.frontmatter;

const SCHEMAS: Record<string, z.ZodType> = {
  faq: z.object({}),
  notice: noticeSchema,
  "pages-how-it-works": howItWorksSchema,
  "pages-science": scienceSchema,
  "pages-about": aboutSchema,
  "pages-support": page,
};

const SCHEMAS_OF_KINDS: Record<string, z.ZodType> = {
  posts: postSchema,
  legal: legalTextSchema,
  emails: z.object({ subject: text.max(150, "At most 150 characters") }),
};

/** The rules of a text's front matter. */
export const schemaOf = (key: string): z.ZodType =>
  key === "home"
    ? shapeOf(firstFront(key))
    : (SCHEMAS[key] ?? SCHEMAS_OF_KINDS[key.split("-", 1)[0] ?? ""] ?? plainTextSchema);

/** The front matter of a version, not yet checked. The draft of a post has the day on which it was written. */
export function frontOf({ key, fields, publishAt, effectiveOn, createdAt }: Omit<TextVersion, "markdown">): unknown {
  const updated = effectiveOn ?? newYorkDay(publishAt ?? createdAt);
  const front = withFields(firstFront(key) ?? {}, fields);
  return { ...front, ...(front.date === "" && { date: updated }), updated };
}

/** A draft may lack words that its page needs. */
export const isFinished = (version: TextVersion): boolean => schemaOf(version.key).safeParse(frontOf(version)).success;

export const firstKeys = (kind: string): string[] =>
  Object.keys(modules).flatMap((file) =>
    file.startsWith(`./${kind}/`) ? [file.slice("./".length, -".mdx".length).replace("/", "-")] : [],
  );

export const partsOf = (key: string): Parts =>
  key.startsWith("legal-") ? "sections" : key === "pages-support" || key === "faq" ? "questions" : "headings";

/** Home and the notice bar are words in places. The science page's tables have bars, which only the code draws. */
const WITHOUT_MARKDOWN = new Set(["home", "notice", "pages-science"]);

export const hasMarkdown = (key: string): boolean => !WITHOUT_MARKDOWN.has(key);

const contents = new WeakMap<TextVersion, MDXContent>();

/** Parsed once for each version that the process holds. */
export function contentOfVersion(version: TextVersion): MDXContent {
  const known = contents.get(version) ?? contentOf(version.markdown ?? "", partsOf(version.key));
  contents.set(version, known);
  return known;
}

function read<Schema extends z.ZodType>(key: string, schema: Schema): Text<z.output<Schema>> {
  const version = publishedText(key);
  return (version && readVersion(version, schema)) ?? readFirst(key, schema);
}

function readFirst<Schema extends z.ZodType>(key: string, schema: Schema): Text<z.output<Schema>> {
  const module = firstEdition(key);
  if (!module) throw new Error(`shop/content has no ${key}.`);
  const front = schema.safeParse(module.frontmatter);
  if (!front.success) throw new Error(`The head of shop/content/${key} is not right: ${front.error.message}`);
  return { front: front.data, Content: module.default };
}

/** Null if the page has changed since and needs words that the version does not have. */
function readVersion<Schema extends z.ZodType>(version: TextVersion, schema: Schema): Text<z.output<Schema>> | null {
  const front = schema.safeParse(frontOf(version));
  const Content = hasMarkdown(version.key) ? contentOfVersion(version) : firstEdition(version.key)!.default;
  return front.success ? { front: front.data, Content } : null;
}

/** Questions on a product's page. */
export const productFaqs = (product: Pick<Product, "category" | "specs">): readonly Faq[] =>
  product.category === "Accessories" ? accessoryFaqs(product) : questionsOfBowls(product);

/** Questions on the pages of bowls, as staff have published them, else as the specs of one answer them. */
export function questionsOfBowls(bowl?: Pick<Product, "category" | "specs">): readonly Faq[] {
  const version = publishedText("faq");
  if (!version) return bowlFaqs(policyWords(), bowl);
  return plainText(contentOfVersion(version)).parts.map(({ title, text: answer }) => ({ question: title, answer }));
}

/** The words of home. */
export function home(): HomeWords {
  const version = publishedText("home");
  const schema = schemaOf("home");
  const words = version && schema.safeParse(frontOf(version));
  return (words?.success ? words.data : schema.parse(firstFront("home"))) as HomeWords;
}

export const pages = () => ({
  howItWorks: read("pages-how-it-works", howItWorksSchema),
  science: read("pages-science", scienceSchema),
  about: read("pages-about", aboutSchema),
  support: read("pages-support", page),
});

export const textKey = ({ text: file }: { text: string }): string => file.replace("/", "-");

function plainPageAt(path: string) {
  const found = plainTexts.find((one) => one.path === path);
  if (!found) throw new Error(`shop/pages.ts has no plain text at ${path}.`);
  return { key: textKey(found), isLegalText: isLegal(found) };
}

function dated(
  { front, Content }: Text<z.output<typeof plainTextSchema>>,
  isLegalText: boolean,
  until = newYorkDay(clock.now()),
): PlainText {
  const lastUpdated = lastChange(Content, front.updated, until);
  const dates = [
    ...(isLegalText ? [`Effective date: ${dayText(front.updated)}`] : []),
    `Last updated: ${dayText(lastUpdated)}`,
  ];
  return { front: { ...front, dates, lastUpdated }, Content };
}

/** The last day after `updated`, up to `until`, from which settings changed what the text says, or `updated`. */
function lastChange(Content: MDXContent, updated: string, until: string): string {
  const saidOn = (day: string) => withSettingsOf(day, () => plainText(Content).text);
  const changed = settingsDays().find(
    (day) => day > updated && day <= until && saidOn(day) !== saidOn(daysAfter(day, -1)),
  );
  return changed ?? updated;
}

/** Day of the terms in force, which an order keeps. */
export const termsVersion = (): string => read("legal-terms", legalTextSchema).front.updated;

export function plainTextAt(path: string): PlainText {
  const { key, isLegalText } = plainPageAt(path);
  return dated(read(key, isLegalText ? legalTextSchema : plainTextSchema), isLegalText);
}

/** A version of a legal text, null for the edition of the code, as it was on a day, or is today. */
export function legalTextAt(path: string, version: TextVersion | null, day?: string): PlainText {
  const { key } = plainPageAt(path);
  const text = version ? readVersion(version, legalTextSchema) : readFirst(key, legalTextSchema);
  if (!text) throw new Error(`a version of ${key} can no longer be read`);
  return dated(text, true, day);
}

const POST = "posts-";

/** Posts, newest first; the first leads the blog. */
export const posts = (): readonly Post[] =>
  [...new Set([...firstKeys("posts"), ...publishedKeys(POST)])]
    .map((key) => ({ slug: key.slice(POST.length), ...read(key, postSchema) }))
    .toSorted((a, b) => b.front.date.localeCompare(a.front.date));

/** The post of a slug, or the lead post. */
export function findPost(slug: string): Post {
  const all = posts();
  const post = all.find((candidate) => candidate.slug === slug) ?? all[0];
  if (!post) throw new Error("shop/content/posts is empty.");
  return post;
}
