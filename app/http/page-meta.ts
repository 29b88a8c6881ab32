/** Meta tags of a page, for search engines and link previews. */
import type { MetaDescriptor } from "react-router";
import { baseUrl } from "#platform/base-url.ts";
import { brand } from "#shop/brand.ts";

type PageMeta = {
  title: string;
  description: string;
  path: string;
  /** Open Graph picture, 1200 by 630: the shop's own, or one from the manifest. */
  picture?: string;
  type?: "website" | "article" | "product";
  /** The page is also available as Markdown, at its URL plus .md. */
  markdown?: boolean;
  /** JSON-LD from the loader. */
  jsonLd?: unknown;
};

const sharePicture = (name?: string) => `${baseUrl()}/images/${name ? `${name}-og` : "og"}.jpg`;

export function pageMeta(page: PageMeta): MetaDescriptor[] {
  const { title, description, path, picture, type = "website", markdown, jsonLd } = page;
  const fullTitle = path === "/" ? `${brand.name} | ${title}` : `${title} | ${brand.name}`;
  const url = baseUrl() + path;
  return [
    { title: fullTitle },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: url },
    ...(markdown ? [{ tagName: "link", rel: "alternate", type: "text/markdown", href: `${path}.md` }] : []),
    { property: "og:site_name", content: brand.name },
    { property: "og:type", content: type },
    { property: "og:title", content: fullTitle },
    { property: "og:description", content: description },
    { property: "og:url", content: url },
    { property: "og:image", content: sharePicture(picture) },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { property: "og:image:alt", content: title },
    { name: "twitter:card", content: "summary_large_image" },
    ...(jsonLd ? [{ "script:ld+json": jsonLd }] : []),
  ];
}

/** Meta tags of a public page that search engines do not list. */
export const unlistedMeta = (page: PageMeta): MetaDescriptor[] => [
  ...pageMeta(page),
  { name: "robots", content: "noindex" },
];

/** `meta` of routes whose loader data are those of a text page. */
export const textMeta = ({ loaderData }: { loaderData: PageMeta | undefined }): MetaDescriptor[] =>
  loaderData ? pageMeta({ ...loaderData, markdown: true }) : [];

/** Personal pages are not indexed and have no link preview. */
export function privateMeta(title: string): MetaDescriptor[] {
  return [{ title: `${title} | ${brand.name}` }, { name: "robots", content: "noindex" }];
}
