import { data } from "react-router";
import { Link } from "#app/ui/chrome/link.tsx";
import { db } from "#platform/database.server.ts";
import { listProductsBySlug } from "#shop/catalog/catalog.server.ts";
import { findPost, posts } from "#shop/content/texts.server.ts";
import { dayText } from "#shop/policy-text.ts";
import { textPageAt } from "#shop/discovery/text-pages.server.ts";
import { renderText } from "#app/http/rendered-text.server.tsx";
import { baseUrl } from "#platform/base-url.ts";
import { publicCache } from "#platform/cache-headers.ts";
import { Picture } from "#app/ui/product/picture.tsx";
import { Prose } from "#app/ui/content/prose.tsx";
import { PostLine } from "../post-line.tsx";
import type { Route } from "./+types/route.ts";

export { publicHeaders as headers } from "#platform/cache-headers.ts";
export { textMeta as meta } from "#app/http/page-meta.ts";

export async function loader({ params }: Route.LoaderArgs) {
  // Unknown posts have no Markdown version.
  if (params.slug.endsWith(".md")) throw data(null, { status: 404 });
  const { slug, front, Content } = findPost(params.slug);
  const { html, readingMinutes } = renderText(Content);
  const day = dayText(front.date);
  const related = await listProductsBySlug(db, front.related);
  const all = posts();
  const place = all.findIndex((post) => post.slug === slug);
  const others = [...all.slice(place + 1), ...all.slice(0, place)]
    .slice(0, 2)
    .map((post) => ({ slug: post.slug, title: post.front.title, category: post.front.category }));
  const path = `/blog/${slug}`;
  const jsonLd = textPageAt(path).jsonLd(baseUrl());
  return data(
    { ...front, path, type: "article" as const, day, html, readingMinutes, related, others, jsonLd },
    // Unknown slugs show the lead post; they must not fill the page cache.
    { headers: slug === params.slug ? publicCache() : { "Cache-Control": "no-cache" } },
  );
}

export default function Post({ loaderData }: Route.ComponentProps) {
  const { title, description, picture, pictureAlt, html, related, others } = loaderData;
  return (
    <article className="pt-8 pb-24 lg:pt-16 lg:pb-32">
      <header className="page">
        <div className="mx-auto max-w-[42rem]">
          <Link prefetch="intent" to="/blog" className="text-link inline-flex min-h-11 items-center">
            All posts
          </Link>
          <h1 className="display mt-4">{title}</h1>
          <p className="mt-5 text-lg text-ink-soft lg:text-xl">{description}</p>
          <div className="mt-6">
            <PostLine {...loaderData} />
          </div>
        </div>
        <Picture
          name={picture}
          alt={pictureAlt}
          sizes="(min-width: 1120px) 1024px, 94vw"
          priority
          className="mx-auto mt-10 block max-w-5xl lg:mt-14"
          imgClassName="aspect-3/2 w-full rounded-card object-cover object-[50%_60%]"
        />
      </header>
      <div className="page mt-10 lg:mt-16">
        <Prose html={html} className="mx-auto max-w-[42rem] text-lg" />
      </div>

      <div className="page no-print">
        {related.length > 0 && (
          <section className="mx-auto mt-16 max-w-5xl border-t border-line pt-12 lg:mt-24" aria-labelledby="related">
            <h2 id="related" className="heading">
              Goes with this
            </h2>
            <ul className="mt-8 grid gap-x-6 gap-y-10 sm:grid-cols-3">
              {related.map((product) => (
                <li key={product.slug} className="group relative">
                  <Picture
                    name={product.thumbnail ?? ""}
                    alt=""
                    sizes="(min-width: 1024px) 325px, (min-width: 640px) 30vw, 92vw"
                    imgClassName="aspect-square w-full rounded-card object-cover"
                  />
                  <h3 className="mt-4 text-[17px] font-semibold tracking-[-0.01em]">
                    <Link
                      prefetch="intent"
                      to={`/product/${product.slug}`}
                      className="underline-offset-4 group-hover:underline after:absolute after:inset-0"
                    >
                      {product.name}
                    </Link>
                  </h3>
                  <p className="mt-1 text-[15px] text-ink-soft">{product.shortDescription}</p>
                </li>
              ))}
            </ul>
          </section>
        )}
        <nav className="mx-auto mt-16 max-w-5xl border-t border-line pt-12" aria-labelledby="more">
          <h2 id="more" className="text-xl font-semibold">
            Read on
          </h2>
          <ul className="mt-3 grid gap-x-6 sm:grid-cols-2">
            {others.map((post) => (
              <li key={post.slug}>
                <Link
                  prefetch="intent"
                  to={`/blog/${post.slug}`}
                  className="text-link inline-flex min-h-11 items-center text-lg"
                >
                  {post.title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </article>
  );
}
