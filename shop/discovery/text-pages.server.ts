/** The pages of words: what lists say of each, its Markdown form, and what search engines read of it. */
import { brand } from "../brand.ts";
import { blocks, markdownOf } from "../content/markdown.ts";
import { plainText, type Part as TextPart } from "../content/plain-text.ts";
import { pages, plainTextAt, posts, type Post, type Text } from "../content/texts.server.ts";
import { policy } from "../policies.ts";
import { plainTexts } from "../pages.ts";
import { dayText, policyText } from "../policy-text.ts";
import * as data from "./structured-data.ts";

export type TextPage = data.Writing & {
  /** `site` is the shop's public address. */
  markdown(site: string): string;
  jsonLd(site: string): data.JsonLd;
};

type Part = string | false;
type Making<Front> = {
  path: string;
  updated: string;
  text: Text<Front>;
  /** What stands above and below the text itself. */
  above: (front: Front) => Part[];
  below?: (site: string) => Part[];
  about: (site: string, page: data.Writing) => data.Part;
};

const { howItWorks, science, about, support } = pages;
const OG_PICTURE = "/images/og.jpg";

/** The last line of every Markdown form. */
export const source = (address: string) => `---\n\n${brand.name}: ${address}`;

function textPage<Front extends { title: string; description: string }>(making: Making<Front>): TextPage {
  const { path, updated, text, above, below, about } = making;
  const { title, description } = text.front;
  const page = { path, title, description, updated };
  const trail = path.startsWith("/blog/") ? [{ name: blog.title, path: blog.path }] : [];
  return {
    ...page,
    markdown: (site) =>
      blocks([
        `# ${title}`,
        ...above(text.front),
        markdownOf(text.Content, site + path),
        ...(below?.(site) ?? []),
        source(site + path),
      ]),
    jsonLd: (site) => data.graph(about(site, page), data.breadcrumbs(site, ...trail, { name: title, path })),
  };
}

const questions = (parts: TextPart[]) => parts.map(({ title, text }) => ({ question: title, answer: text }));
const opening = ({ heading, intro }: { heading: string; intro: string }) => [`**${heading}**`, intro];
const webPage = (site: string, page: data.Writing) => data.webPage(site, "WebPage", page);

const plainPage = (path: string) => {
  const text = plainTextAt(path);
  const { effectiveDate } = policyText;
  return textPage({
    path,
    updated: text.front.updated ?? policy.effectiveDate,
    text,
    above: ({ intro, updated }) => [
      intro,
      updated
        ? `Last updated: ${dayText(updated)}.`
        : `Effective date: ${effectiveDate}. Last updated: ${effectiveDate}.`,
    ],
    about: webPage,
  });
};

const postPage = (post: Post) =>
  textPage({
    path: `/blog/${post.slug}`,
    updated: post.front.date,
    text: post,
    above: ({ description, category, date }) => [description, `${category}, ${date}`],
    below: (site) => ["## Goes with this", post.front.related.map((slug) => `- ${site}/product/${slug}.md`).join("\n")],
    about: (site, page) =>
      data.blogPosting(site, { ...page, category: post.front.category }, `/images/${post.front.picture}-og.jpg`),
  });

export const blog = {
  path: "/blog",
  title: "Blog",
  description: "Tips for the kitchen, the science of freshness, and what wasted food costs. Short reads from Polara.",
};

export const postPages: readonly TextPage[] = posts.map(postPage);

const blogPage: TextPage = {
  ...blog,
  updated: posts[0]?.front.date ?? policy.effectiveDate,
  markdown: (site) =>
    blocks([
      `# ${blog.title}`,
      blog.description,
      postPages.map(({ path, title, description }) => `- [${title}](${site}${path}.md): ${description}`).join("\n"),
      source(site + blog.path),
    ]),
  jsonLd: (site) =>
    data.graph(data.blogIndex(site, blog, postPages), data.breadcrumbs(site, { name: blog.title, path: blog.path })),
};

export const textPages: readonly TextPage[] = [
  textPage({
    path: "/how-it-works",
    updated: howItWorks.front.updated,
    text: howItWorks,
    above: (front) => [
      ...opening(front),
      ...front.steps.flatMap(({ title, text }, i) => [`## ${i + 1}. ${title}`, text]),
      `## ${front.inside.heading}`,
      front.inside.parts.map(({ title, text }, i) => `${i + 1}. **${title}**: ${text}`).join("\n"),
      `## ${front.closing}`,
    ],
    about: webPage,
  }),
  textPage({
    path: "/science",
    updated: science.front.updated,
    text: science,
    above: (front) => [
      ...opening(front),
      front.cards.map(({ figure, title, text }) => `- **${title}** (${figure}): ${text}`).join("\n"),
    ],
    about: (site, page) => data.article(site, page, OG_PICTURE),
  }),
  textPage({
    path: "/about",
    updated: about.front.updated,
    text: about,
    above: (front) => [...opening(front), front.stats.map(({ figure, label }) => `- ${figure} ${label}`).join("\n")],
    about: (site, page) => data.webPage(site, "AboutPage", page),
  }),
  blogPage,
  ...postPages,
  textPage({
    path: "/support",
    updated: support.front.updated,
    text: support,
    above: opening,
    below: (site) => [
      "## Write to us",
      `${policy.supportHours}. ${brand.supportEmail}, or the form at ${site}/support#contact.`,
    ],
    about: () => data.faqPage(questions(plainText(support.Content).parts)),
  }),
  ...plainTexts.map(({ path }) => plainPage(path)),
];

/** The page of words at a path that is known to be one. */
export function textPageAt(path: string): TextPage {
  const page = textPages.find((candidate) => candidate.path === path);
  if (!page) throw new Error(`shop/discovery/text-pages.server.ts lists no ${path}.`);
  return page;
}
