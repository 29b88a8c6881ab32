import { Prose } from "./prose.tsx";
import { TableOfContents } from "./table-of-contents.tsx";

type TextPageProps = {
  title: string;
  intro: string;
  dates: string[];
  html: string;
  /** The anchored sections, in order. */
  sections: { id: string; title: string }[];
};

/** A plain text with its dates, and where it has sections, its table of contents. */
export function TextPage({ title, intro, dates, html, sections }: TextPageProps) {
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
      </header>
      <div className="mt-5 gap-x-16 max-lg:space-y-7 lg:mt-12 lg:grid lg:grid-cols-[17rem_minmax(0,44rem)] xl:gap-x-24">
        {sections.length > 0 && <TableOfContents sections={sections} />}
        <Prose html={html} className="legal" />
      </div>
    </article>
  );
}
