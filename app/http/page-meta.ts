/** The meta tags of a page, for search engines and for where it is shared. */
import type { MetaDescriptor } from "react-router";
import { baseUrl } from "../base-url.ts";
import { brand } from "../../shop/brand.ts";

type PageMeta = {
  title: string;
  description: string;
  path: string;
  /** The Open Graph picture, 1200 by 630: the shop's own, or that of a picture in the manifest. */
  picture?: string;
  type?: "website" | "article" | "product";
  /** Whether the same address with .md is the page as Markdown. */
  markdown?: boolean;
  /** What search engines read of it, from the loader. */
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

/** For personal pages, which are neither indexed nor shared. */
export function privateMeta(title: string): MetaDescriptor[] {
  return [{ title: `${title} | ${brand.name}` }, { name: "robots", content: "noindex" }];
}
