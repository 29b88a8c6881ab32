/** The plain texts of shop/pages.ts: each is a file under shop/content, and all look alike. */
import { data } from "react-router";
import { plainTextAt } from "../../../../shop/content/texts.server.ts";
import { policyText, dayText } from "../../../../shop/policy-text.ts";
import { textPageAt } from "../../../../shop/discovery/text-pages.server.ts";
import { renderText } from "../../../http/rendered-text.server.tsx";
import { baseUrl } from "../../../base-url.ts";
import { pageMeta } from "../../../http/page-meta.ts";
import { publicCache } from "../../../http/cache-headers.ts";
import { TextPage } from "../../../ui/content/text-page.tsx";
import type { Route } from "./+types/route.ts";

export { publicHeaders as headers } from "../../../http/cache-headers.ts";

/** `url` is the page's own address, also where only its data is asked for. */
export function loader({ url: { pathname: path } }: Route.LoaderArgs) {
  const { front, Content } = plainTextAt(path);
  const { html, sections } = renderText(Content);
  const { title, description, intro, updated } = front;
  const dates = updated
    ? [`Last updated: ${dayText(updated)}`]
    : [`Effective date: ${policyText.effectiveDate}`, `Last updated: ${policyText.effectiveDate}`];
  const jsonLd = textPageAt(path).jsonLd(baseUrl());
  return data({ path, title, description, intro, dates, html, sections, jsonLd }, { headers: publicCache() });
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData ? pageMeta({ ...loaderData, markdown: true }) : [];

export default function PlainText({ loaderData }: Route.ComponentProps) {
  return <TextPage {...loaderData} />;
}
