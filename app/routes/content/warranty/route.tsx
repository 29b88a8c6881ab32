import { data } from "react-router";
import { legal } from "../../../../shop/content/texts.server.ts";
import { policyText } from "../../../../shop/policy-text.ts";
import { textPageAt } from "../../../../shop/discovery/text-pages.server.ts";
import { renderText } from "../../../http/rendered-text.server.tsx";
import { baseUrl } from "../../../base-url.ts";
import { pageMeta } from "../../../http/page-meta.ts";
import { publicCache } from "../../../http/cache-headers.ts";
import { LegalPage } from "../../../ui/content/legal-page.tsx";
import type { Route } from "./+types/route.ts";

export { publicHeaders as headers } from "../../../http/cache-headers.ts";

const PATH = "/warranty";

export function loader() {
  const { front, Content } = legal.warranty;
  const { html, sections } = renderText(Content);
  const jsonLd = textPageAt(PATH).jsonLd(baseUrl());
  return data(
    { ...front, effectiveDate: policyText.effectiveDate, html, sections, jsonLd },
    { headers: publicCache() },
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData ? pageMeta({ ...loaderData, path: PATH, markdown: true }) : [];

export default function Warranty({ loaderData }: Route.ComponentProps) {
  return <LegalPage {...loaderData} />;
}
