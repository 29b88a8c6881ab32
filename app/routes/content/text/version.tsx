/**
 * A version of a legal text at its own address, such as /terms/2025-01-01, to which orders refer; `at` is the moment of an
 * order, whose numbers it shows.
 */
import { data, Link, redirect } from "react-router";
import { privateMeta } from "#app/http/page-meta.ts";
import { FOR_GOING_BACK, NO_STORE } from "#platform/cache-headers.ts";
import type { Route } from "./+types/version.ts";
import { z } from "#shop/zod.ts";
import { PlainTextPage } from "./route.tsx";
import { readLegalVersion } from "./versions.server.ts";

export { goingBackHeaders as headers } from "#platform/cache-headers.ts";

export async function loader({ url, params }: Route.LoaderArgs) {
  const path = url.pathname.slice(0, url.pathname.lastIndexOf("/"));
  const at = z.iso.datetime().safeParse(url.searchParams.get("at"));
  const text = await readLegalVersion(path, params.day, at.success ? new Date(at.data) : null);
  if (!text) throw data(null, { status: 404 });
  // Announcements that were sent before link to the earlier day.
  if (text === "moved") throw redirect(path, { headers: NO_STORE });
  const { title, intro, dates, versions, html, sections } = text;
  return data({ path, title, intro, dates, versions, html, sections }, { headers: FOR_GOING_BACK });
}

export const meta: Route.MetaFunction = ({ loaderData }) => privateMeta(loaderData?.title ?? "Not found");

export default function LegalVersion({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <p className="page pt-6">
        <Link to={loaderData.path} className="text-link inline-flex min-h-11 items-center">
          The version in force today
        </Link>
      </p>
      <PlainTextPage {...loaderData} />
    </>
  );
}
