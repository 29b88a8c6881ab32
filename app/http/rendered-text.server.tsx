/** Renders the shop's MDX texts to HTML once a process, so that the browser loads no compiled MDX. */
import type { MDXContent } from "mdx/types.js";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { data } from "react-router";
import { baseUrl } from "#platform/base-url.ts";
import { publicCache } from "#platform/cache-headers.ts";
import { textPageAt } from "#shop/discovery/text-pages.server.ts";

const WORDS_PER_MINUTE = 220;

type RenderedText = {
  html: string;
  sections: { id: string; title: string }[];
  readingMinutes: number;
};

const rendered = new Map<MDXContent, RenderedText>();

export function renderText(Content: MDXContent): RenderedText {
  const known = rendered.get(Content);
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
      }}
    />,
  );
  const words = html.split(/\s+/).length;
  const text = { html, sections, readingMinutes: Math.max(1, Math.round(words / WORDS_PER_MINUTE)) };
  rendered.set(Content, text);
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

/** Tables whose first column is a row header. */
function FactTable({ caption, head, rows }: { caption: string; head: string[]; rows: string[][] }) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((cell) => (
              <th key={cell} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, i) => (
                <td key={head[i + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
