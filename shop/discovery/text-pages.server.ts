/** Text pages: their title and summary, Markdown form and JSON-LD. */
import { brand } from "#shop/brand.ts";
import { supportEmail } from "#shop/contact-addresses.server.ts";
import { blocks, markdownOf, type Part as TextPart, plainText } from "#shop/content/text-forms.ts";
import { pages, plainTextAt, type Post, posts, type Text } from "#shop/content/texts.server.ts";
import { policy } from "#shop/policies.ts";
import { policyWords } from "#shop/settings/settings.server.ts";
import { plainTexts } from "#shop/pages.ts";
import type { AboutPage, WebPage } from "schema-dts";
import { breadcrumbs, faqPage, graph, organizationId, type JsonLd, type Part as Data } from "./structured-data.ts";

type Writing = { path: string; title: string; description: string; updated: string };

type TextPage = Writing & {
  markdown(site: string): string;
  jsonLd(site: string): JsonLd;
};

function webPage(
  site: string,
  { path, title, description, updated }: Writing,
  type: "AboutPage" | "WebPage" = "WebPage",
): AboutPage | WebPage {
  return {
    "@type": type,
    "@id": site + path,
    url: site + path,
    name: title,
    description,
    dateModified: updated,
    inLanguage: "en-US",
    isPartOf: { "@id": `${site}/#website` },
    about: organizationId(site),
  };
}

function writing(site: string, { path, title, description, updated }: Writing, picture: string) {
  const author = { "@type": "Organization", ...organizationId(site), name: brand.name, url: `${site}/` } as const;
  return {
    headline: title,
    description,
    url: site + path,
    mainEntityOfPage: site + path,
    image: site + picture,
    datePublished: updated,
    dateModified: updated,
    inLanguage: "en-US",
    author,
    publisher: author,
  };
}

type Part = string | false;
type Making<Front> = {
  path: string;
  updated: string;
  text: Text<Front>;
  above: (front: Front) => Part[];
  below?: (site: string) => Part[];
  about: (site: string, page: Writing) => Data;
};

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
    jsonLd: (site) => graph(about(site, page), breadcrumbs(site, ...trail, { name: title, path })),
  };
}

const questions = (parts: TextPart[]) => parts.map(({ title, text }) => ({ question: title, answer: text }));
const opening = ({ heading, intro }: { heading: string; intro: string }) => [`**${heading}**`, intro];

const plainPage = (path: string) => {
  const text = plainTextAt(path);
  return textPage({
    path,
    updated: text.front.lastUpdated,
    text,
    above: ({ intro, dates }) => [intro, dates.map((date) => `${date}.`).join(" ")],
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
    about: (site, page) => ({
      "@type": "BlogPosting",
      ...writing(site, page, `/images/${post.front.picture}-og.jpg`),
      articleSection: post.front.category,
    }),
  });

const blog = {
  path: "/blog",
  title: "Blog",
  description: "Tips for the kitchen, the science of freshness, and what wasted food costs. Short reads from Polara.",
};

const postPages = (): readonly TextPage[] => posts().map(postPage);

const blogPage = (): TextPage => ({
  ...blog,
  updated: posts()[0]?.front.date ?? policy.effectiveDate,
  markdown: (site) =>
    blocks([
      `# ${blog.title}`,
      blog.description,
      postPages()
        .map(({ path, title, description }) => `- [${title}](${site}${path}.md): ${description}`)
        .join("\n"),
      source(site + blog.path),
    ]),
  jsonLd: (site) =>
    graph(
      {
        "@type": "Blog",
        name: `${brand.name} ${blog.title}`,
        description: blog.description,
        url: site + blog.path,
        publisher: organizationId(site),
        blogPost: postPages().map(({ path, title, updated }) => ({
          "@type": "BlogPosting",
          headline: title,
          url: site + path,
          datePublished: updated,
        })),
      },
      breadcrumbs(site, { name: blog.title, path: blog.path }),
    ),
});

/** All text pages, with the numbers of now. */
export function textPages(): readonly TextPage[] {
  const { howItWorks, science, about, support } = pages();
  return [
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
      about: (site, page) => ({ "@type": "Article", ...writing(site, page, "/images/og.jpg") }),
    }),
    textPage({
      path: "/about",
      updated: about.front.updated,
      text: about,
      above: (front) => [...opening(front), front.stats.map(({ figure, label }) => `- ${figure} ${label}`).join("\n")],
      about: (site, page) => webPage(site, page, "AboutPage"),
    }),
    blogPage(),
    ...postPages(),
    textPage({
      path: "/support",
      updated: support.front.updated,
      text: support,
      above: opening,
      below: (site) => [
        "## Contact Us",
        `${policyWords().supportHours}. ${supportEmail()}, or the form at ${site}/support#contact.`,
      ],
      about: () => faqPage(questions(plainText(support.Content).parts)),
    }),
    ...plainTexts.map(({ path }) => plainPage(path)),
  ];
}

export function textPageAt(path: string): TextPage {
  const page = textPages().find((candidate) => candidate.path === path);
  if (!page) throw new Error(`shop/discovery/text-pages.server.ts lists no ${path}.`);
  return page;
}
