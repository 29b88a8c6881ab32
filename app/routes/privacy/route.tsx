import { data } from "react-router";
import { legal } from "../../../shop/content/texts.server.ts";
import { policy } from "../../../shop/policies.ts";
import { renderText } from "../../content.server.tsx";
import { pageMeta } from "../../page-meta.ts";
import { publicCache } from "../../public-cache.ts";
import { LegalPage } from "../../ui/legal-page.tsx";
import type { Route } from "./+types/route.ts";

export { publicHeaders as headers } from "../../public-cache.ts";

export function loader() {
  const { front, Content } = legal.privacy;
  const { html, sections } = renderText(Content);
  return data({ ...front, effectiveDate: policy.effectiveDate, html, sections }, { headers: publicCache() });
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData ? pageMeta({ title: loaderData.title, description: loaderData.description, path: "/privacy" }) : [];

export default function Privacy({ loaderData }: Route.ComponentProps) {
  return <LegalPage {...loaderData} />;
}
