/** Searchable texts: pages, posts, questions, and each section of a policy. */
import type { MDXContent } from "mdx/types.js";
import { supportEmail } from "#shop/contact-addresses.server.ts";
import { plainText } from "#shop/content/text-forms.ts";
import { pages, plainTextAt, posts, questionsOfBowls } from "#shop/content/texts.server.ts";
import { policyWords } from "#shop/settings/settings.server.ts";
import { isLegal, plainTexts } from "#shop/pages.ts";
import type { ResultKind } from "./result.ts";

export type TextDocument = {
  id: string;
  kind: Exclude<ResultKind, "product">;
  path: string | null;
  title: string;
  place: string;
  body: string;
};

type Front = { title: string; description: string; heading?: string; intro?: string };

function page(
  path: string,
  { front, Content }: { front: Front; Content: MDXContent },
  more: string[] = [],
): TextDocument {
  const body = [front.description, front.heading, front.intro, ...more, plainText(Content).text]
    .filter(Boolean)
    .join(" ");
  return { id: path, kind: "page", path, title: front.title, place: "", body };
}

export function textDocuments(): TextDocument[] {
  const { howItWorks, science, about, support } = pages();
  return [
    page(
      "/how-it-works",
      howItWorks,
      [...howItWorks.front.steps, ...howItWorks.front.inside.parts].flatMap(({ title, text }) => [title, text]),
    ),
    page(
      "/science",
      science,
      science.front.cards.flatMap(({ title, text }) => [title, text]),
    ),
    page("/about", about),
    {
      ...page("/support", { front: support.front, Content: () => [] }, [policyWords().supportHours, supportEmail()]),
      title: "Support and contact",
    },
    ...posts().map(({ slug, front, Content }): TextDocument => {
      const path = `/blog/${slug}`;
      const body = `${front.description} ${plainText(Content).text}`;
      return { id: path, kind: "post", path, title: front.title, place: `Blog, ${front.category}`, body };
    }),
    ...plainText(support.Content).parts.map(({ id, title, text }): TextDocument => {
      const path = `/support#${id}`;
      return { id: path, kind: "question", path, title, place: "Support", body: text };
    }),
    ...questionsOfBowls().map(({ question, answer }): TextDocument => ({
      id: `question:${question}`,
      kind: "question",
      path: null,
      title: question,
      place: "Questions about our bowls",
      body: answer,
    })),
    ...plainTexts.flatMap(({ path, text }): TextDocument[] => {
      if (!isLegal({ text })) return [page(path, plainTextAt(path))];
      const { front, Content } = plainTextAt(path);
      const { parts } = plainText(Content);
      const body = [front.intro, ...parts.map(({ title }) => title)].join(" ");
      return [
        { id: path, kind: "policy", path, title: front.title, place: "", body },
        ...parts.map(({ id, title, text: part }): TextDocument => {
          const place = `${path}#${id}`;
          return { id: place, kind: "policy", path: place, title, place: front.title, body: part };
        }),
      ];
    }),
  ];
}
