/**
 * Turns the shop's texts into HTML, once a process. The browser gets the HTML, not the compiled MDX:
 * a page of words costs no JavaScript.
 */
import type { MDXContent } from "mdx/types.js";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";

const WORDS_PER_MINUTE = 220;

export type RenderedText = {
  html: string;
  /** The anchored sections, in order. */
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
  const words = html.replace(/<[^>]+>/g, " ").match(/\S+/g)?.length ?? 0;
  const text = { html, sections, readingMinutes: Math.max(1, Math.round(words / WORDS_PER_MINUTE)) };
  rendered.set(Content, text);
  return text;
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

/** A table whose first column names its row. */
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
