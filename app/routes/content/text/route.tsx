/** The plain text pages of shop/pages.ts, from files under shop/content. */
import { Link } from "react-router";
import { textPage } from "#app/http/rendered-text.server.tsx";
import { Prose } from "#app/ui/content/prose.tsx";
import { TableOfContents } from "./table-of-contents.tsx";
import { plainTextAt } from "#shop/content/texts.server.ts";
import { dayText } from "#shop/policy-text.ts";
import { otherVersions } from "./versions.server.ts";
import type { Route } from "./+types/route.ts";

export { publicHeaders as headers } from "#platform/cache-headers.ts";
export { textMeta as meta } from "#app/http/page-meta.ts";

/** `url` is the page's own, also for data requests. */
export async function loader({ url: { pathname } }: Route.LoaderArgs) {
  const { front, Content } = plainTextAt(pathname);
  const { title, description, intro, dates, updated } = front;
  const versions = await otherVersions(pathname, updated);
  return textPage(pathname, { front: { title, description, intro, dates, versions }, Content });
}

export default function PlainText({ loaderData }: Route.ComponentProps) {
  return <PlainTextPage {...loaderData} />;
}

type PlainTextProps = {
  path: string;
  title: string;
  intro: string;
  dates: string[];
  /** Days of effect of the other versions of a legal text. */
  versions: string[];
  html: string;
  sections: { id: string; title: string }[];
};

export function PlainTextPage({ path, title, intro, dates, versions, html, sections }: PlainTextProps) {
  return (
    <article className="page pt-10 pb-24 lg:pt-20">
      <header className="max-w-3xl border-b border-line pb-8 lg:pb-12">
        <h1 className="display">{title}</h1>
        <p className="mt-5 text-lg text-ink-soft">{intro}</p>
        <p className="mt-5 text-[15px]">
          {dates.map((date) => (
            <span key={date} className="mr-6 inline-block last:mr-0">
              {date}
            </span>
          ))}
        </p>
        {versions.length > 0 && (
          <p className="no-print flex flex-wrap gap-x-4 text-[15px]">
            <span className="flex min-h-11 items-center">Other versions:</span>
            {versions.map((day) => (
              <Link key={day} to={`${path}/${day}`} className="text-link flex min-h-11 items-center">
                {dayText(day)}
              </Link>
            ))}
          </p>
        )}
      </header>
      <div className="mt-5 gap-x-16 max-lg:space-y-7 lg:mt-12 lg:grid lg:grid-cols-[17rem_minmax(0,44rem)] xl:gap-x-24">
        {sections.length > 0 && <TableOfContents sections={sections} />}
        <Prose html={html} className="legal" />
      </div>
    </article>
  );
}
