import { data } from "react-router";
import { Link } from "#app/ui/chrome/link.tsx";
import { posts } from "#shop/content/texts.server.ts";
import { dayText } from "#shop/policy-text.ts";
import { textPageAt } from "#shop/discovery/text-pages.server.ts";
import { renderText } from "#app/http/rendered-text.server.tsx";
import { baseUrl } from "#platform/base-url.ts";
import { publicCache } from "#platform/cache-headers.ts";
import { Picture } from "#app/ui/product/picture.tsx";
import type { Route } from "./+types/route.ts";
import { PostLine } from "./post-line.tsx";

export { publicHeaders as headers } from "#platform/cache-headers.ts";
export { textMeta as meta } from "#app/http/page-meta.ts";

const PATH = "/blog";

/** One post as wide as the page, two large ones, then rows of three. */
const LEAD = {
  place: "md:col-span-2 md:grid md:grid-cols-[1.5fr_1fr] md:items-center md:gap-x-12 lg:col-span-6",
  sizes: "(min-width: 1320px) 720px, (min-width: 768px) 56vw, 92vw",
  heading: "heading",
};
const LARGE = {
  place: "lg:col-span-3",
  sizes: "(min-width: 1320px) 600px, (min-width: 768px) 46vw, 92vw",
  heading: "heading",
};
const SMALL = {
  place: "lg:col-span-2",
  sizes: "(min-width: 1320px) 392px, (min-width: 1024px) 30vw, (min-width: 768px) 46vw, 92vw",
  heading: "text-2xl font-semibold",
};

export function loader() {
  const list = posts().map(({ slug, front, Content }) => ({
    slug,
    ...front,
    day: dayText(front.date),
    readingMinutes: renderText(Content).readingMinutes,
  }));
  const { title, description, jsonLd } = textPageAt(PATH);
  return data({ title, description, path: PATH, posts: list, jsonLd: jsonLd(baseUrl()) }, { headers: publicCache() });
}

export default function Blog({ loaderData }: Route.ComponentProps) {
  return (
    <div className="page pt-12 pb-24 lg:pt-24 lg:pb-32">
      <h1 className="display">Blog</h1>
      <p className="mt-5 max-w-[34em] text-lg text-ink-soft lg:text-xl">
        Tips for the kitchen, the science behind them, and why it matters.
      </p>
      <ul className="mt-10 grid gap-x-6 gap-y-14 md:grid-cols-2 lg:mt-16 lg:grid-cols-6 lg:gap-y-20">
        {loaderData.posts.map((post, i) => {
          const { place, sizes, heading } = i === 0 ? LEAD : i <= 2 ? LARGE : SMALL;
          return (
            <li key={post.slug} className={`group relative ${place}`}>
              <Picture
                name={post.picture}
                alt={post.pictureAlt}
                sizes={sizes}
                priority={i === 0}
                imgClassName="aspect-3/2 w-full rounded-card object-cover object-[50%_60%]"
              />
              <div className="mt-5">
                <PostLine {...post} />
                <h2 className={`mt-3 ${heading}`}>
                  <Link
                    prefetch="intent"
                    to={`/blog/${post.slug}`}
                    className="underline-offset-8 group-hover:underline group-hover:decoration-2 after:absolute after:inset-0"
                  >
                    {post.title}
                  </Link>
                </h2>
                <p className="mt-3 max-w-[36em] text-lg text-ink-soft">{post.description}</p>
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
