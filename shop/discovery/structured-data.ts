/** The shop as search engines read it (schema.org), one graph a page. */
import type {
  AboutPage,
  Article,
  Blog,
  BlogPosting,
  BreadcrumbList,
  FAQPage,
  Graph,
  ItemList,
  OnlineStore,
  SearchAction,
  Thing,
  WebPage,
  WebSite,
  WithActionConstraints,
} from "schema-dts";
import { brand } from "../brand.ts";

/** What a page carries: types are checked where the parts are made. */
export type JsonLd = { "@context": string; "@graph": unknown[] };

export type Part = Exclude<Thing, string>;

export function graph(...parts: Part[]): JsonLd {
  const whole: Graph = { "@context": "https://schema.org", "@graph": parts };
  return { ...whole, "@graph": [...whole["@graph"]] };
}

const organizationId = (site: string) => ({ "@id": `${site}/#organization` });

const profiles = brand.social.flatMap(({ url }) => url ?? []);

export function organization(site: string): Exclude<OnlineStore, string> {
  return {
    "@type": "OnlineStore",
    ...organizationId(site),
    name: brand.name,
    url: `${site}/`,
    slogan: brand.tagline,
    logo: `${site}/icon-512.png`,
    image: `${site}/images/og.jpg`,
    email: brand.supportEmail,
    ...(profiles.length > 0 && { sameAs: profiles }),
    contactPoint: {
      "@type": "ContactPoint",
      contactType: "customer support",
      email: brand.supportEmail,
      url: `${site}/support`,
      areaServed: "US",
      availableLanguage: "en",
    },
  };
}

export function website(site: string): WebSite {
  const search: WithActionConstraints<SearchAction> = {
    "@type": "SearchAction",
    target: { "@type": "EntryPoint", urlTemplate: `${site}/search?q={search_term_string}` },
    "query-input": "required name=search_term_string",
  };
  return {
    "@type": "WebSite",
    "@id": `${site}/#website`,
    name: brand.name,
    url: `${site}/`,
    inLanguage: "en-US",
    publisher: organizationId(site),
    potentialAction: search,
  };
}

/** Where a page stands: home first, the page itself last. */
export function breadcrumbs(site: string, ...trail: { name: string; path: string }[]): BreadcrumbList {
  return {
    "@type": "BreadcrumbList",
    itemListElement: [{ name: "Home", path: "/" }, ...trail].map(({ name, path }, i) => ({
      "@type": "ListItem",
      position: i + 1,
      name,
      item: site + path,
    })),
  };
}

export function faqPage(faqs: readonly { question: string; answer: string }[]): FAQPage {
  return {
    "@type": "FAQPage",
    mainEntity: faqs.map(({ question, answer }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: answer },
    })),
  };
}

/** Products of a list, of which `before` stand on earlier pages. */
export function productList(site: string, products: readonly { name: string; slug: string }[], before = 0): ItemList {
  return {
    "@type": "ItemList",
    itemListElement: products.map(({ name, slug }, i) => ({
      "@type": "ListItem",
      position: before + i + 1,
      name,
      url: `${site}/product/${slug}`,
    })),
  };
}

/** What every page of words says of itself. */
export type Writing = { path: string; title: string; description: string; updated: string };

/** A page about the shop itself. */
export function webPage(site: string, type: "AboutPage" | "WebPage", page: Writing): AboutPage | WebPage {
  const { path, title, description, updated } = page;
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

export function article(site: string, page: Writing, picture: string): Article {
  return { "@type": "Article", ...writing(site, page, picture) };
}

export function blogPosting(site: string, page: Writing & { category: string }, picture: string): BlogPosting {
  return { "@type": "BlogPosting", ...writing(site, page, picture), articleSection: page.category };
}

export function blogIndex(site: string, blog: Omit<Writing, "updated">, posts: readonly Writing[]): Blog {
  return {
    "@type": "Blog",
    name: `${brand.name} ${blog.title}`,
    description: blog.description,
    url: site + blog.path,
    publisher: organizationId(site),
    blogPost: posts.map(({ path, title, updated }) => ({
      "@type": "BlogPosting",
      headline: title,
      url: site + path,
      datePublished: updated,
    })),
  };
}
