/** What a page says of itself to search engines and to those it is shared with. */
import type { MetaDescriptor } from "react-router";
import { brand } from "../shop/brand.ts";

/** The shop's public address, the same on the server and after hydration. */
export function baseUrl(): string {
  return import.meta.env.SSR ? (process.env.BASE_URL ?? "") : (document.documentElement.dataset.baseUrl ?? "");
}

type PageMeta = { title: string; description: string; path: string; picture?: string };

export function pageMeta({ title, description, path, picture = "/images/og.jpg" }: PageMeta): MetaDescriptor[] {
  const fullTitle = path === "/" ? `${brand.name} | ${title}` : `${title} | ${brand.name}`;
  const url = baseUrl() + path;
  return [
    { title: fullTitle },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:site_name", content: brand.name },
    { property: "og:type", content: "website" },
    { property: "og:title", content: fullTitle },
    { property: "og:description", content: description },
    { property: "og:url", content: url },
    { property: "og:image", content: baseUrl() + picture },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}
