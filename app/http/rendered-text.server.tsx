/** Renders the shop's MDX texts to HTML, once for the numbers in them, so that the browser loads no compiled MDX. */
import type { MDXContent } from "mdx/types.js";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { data } from "react-router";
import { baseUrl } from "#platform/base-url.ts";
import { publicCache } from "#platform/cache-headers.ts";
import type { PolicyWords } from "#shop/policy-text.ts";
import { policyWords } from "#shop/settings/settings.server.ts";
import { textPageAt } from "#shop/discovery/text-pages.server.ts";
import { Picture } from "#app/ui/product/picture.tsx";

const WORDS_PER_MINUTE = 220;

type RenderedText = {
  html: string;
  sections: { id: string; title: string }[];
  readingMinutes: number;
};

/** A change of the settings makes new numbers. */
const rendered = new WeakMap<PolicyWords, WeakMap<MDXContent, RenderedText>>();

export function renderText(Content: MDXContent): RenderedText {
  const texts = rendered.get(policyWords()) ?? new WeakMap<MDXContent, RenderedText>();
  rendered.set(policyWords(), texts);
  const known = texts.get(Content);
  if (known) return known;
  const sections: RenderedText["sections"] = [];
  const html = renderToStaticMarkup(
    <Content
      components={{
        Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
          const number = sections.push({ id, title });
          return (
            <section id={id} aria-labelledby={`${id}-title`}>
              <h2 id={`${id}-title`}>
                <span className="section-number">{number}</span> {title}
              </h2>
              {children}
            </section>
          );
        },
        Question,
        FactTable,
        img: Photo,
      }}
    />,
  );
  const words = html.split(/\s+/).length;
  const text = { html, sections, readingMinutes: Math.max(1, Math.round(words / WORDS_PER_MINUTE)) };
  texts.set(Content, text);
  return text;
}

/** Loader data of the text page at `path`: its front matter, its HTML, and what its meta tags need. */
export function textPage<Front extends object>(
  path: string,
  { front, Content }: { front: Front; Content: MDXContent },
) {
  const { html, sections } = renderText(Content);
  const jsonLd = textPageAt(path).jsonLd(baseUrl());
  return data({ ...front, path, html, sections, jsonLd }, { headers: publicCache() });
}

function Question({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <details name="faq" id={id}>
      <summary>
        <h3>{title}</h3>
      </summary>
      <div>{children}</div>
    </details>
  );
}

/** A picture in a text, by its name: ![alt](blog-berries). */
function Photo({ src = "", alt = "" }: { src?: string; alt?: string }) {
  return (
    <Picture
      name={src}
      alt={alt}
      sizes="(min-width: 768px) 672px, 92vw"
      className="my-[1.8em] block"
      imgClassName="aspect-3/2 w-full rounded-card object-cover"
    />
  );
}

const BAR_WIDTH = "w-36 sm:w-48";

/** Ends of a table's bars. `isLimit` draws a figure as the place where harm ends, else as a range. */
type Scale = { from: number; to: number; isLog?: true; isLimit?: true };
type FactTableProps = { caption: string; head: string[]; rows: string[][]; scale?: Scale };

/** Tables whose first column is a row header. With a scale, the figures of the second have bars. */
function FactTable({ caption, head, rows, scale }: FactTableProps) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((cell, i) => (
              <th key={cell} scope="col">
                {cell}
                {scale && i === 1 && (
                  <span aria-hidden="true" className={`mt-1 flex justify-between text-xs ${BAR_WIDTH}`}>
                    <span>{scale.isLimit ? "Too cold" : "Less"}</span>
                    <span>{scale.isLimit ? "Fine" : "More"}</span>
                  </span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, i) => (
                <td key={head[i + 1]}>
                  {cell}
                  {scale && i === 0 && <Bar figure={cell} scale={scale} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The figure, such as "10–100", "under 5" or "45°F", on the scale. */
function Bar({ figure, scale: { from, to, isLog, isLimit } }: { figure: string; scale: Scale }) {
  const numbers = (figure.match(/[\d.]+/g) ?? []).map(Number);
  const low = figure.startsWith("under") ? from : (numbers[0] ?? from);
  const high = figure.startsWith("over") ? to : (numbers.at(-1) ?? to);
  const along = isLog ? Math.log : Number;
  const percent = (value: number) => ((along(value) - along(from)) / (along(to) - along(from))) * 100;
  const parts: [string, from: number, to: number][] = isLimit
    ? [
        ["bg-copper", from, low],
        ["bg-copper/45", low, high],
        ["bg-leaf", high, to],
      ]
    : [["rounded-full bg-leaf", low, high]];
  return (
    <span
      aria-hidden="true"
      className={`relative mt-1.5 block h-2.5 overflow-hidden rounded-full bg-line forced-color-adjust-none ${BAR_WIDTH}`}
    >
      {parts.map(([tone, start, end]) => (
        <span
          key={tone}
          className={`absolute inset-y-0 ${tone}`}
          style={{ left: `${percent(start)}%`, width: `${percent(end) - percent(start)}%` }}
        />
      ))}
    </span>
  );
}
