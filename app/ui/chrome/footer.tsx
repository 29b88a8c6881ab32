import { Link } from "./link.tsx";
import { brand } from "#shop/brand.ts";
import { footerColumns } from "#shop/pages.ts";
import { socialLinks } from "#shop/social-links.ts";
import { Copyright } from "./copyright.tsx";
import { HomeLink } from "./wordmark.tsx";

const columns = footerColumns();

const place = "inline-flex min-h-11 min-w-11 items-center";
const link = `${place} underline-offset-4 hover:underline`;

export function Footer() {
  return (
    <footer className="border-t border-line">
      <div className="page grid gap-x-8 gap-y-12 pt-16 pb-10 lg:grid-cols-[1.4fr_2fr] lg:pt-20">
        <div>
          <HomeLink size="h-8" />
          <p className="mt-3 text-ink-soft">{brand.tagline}</p>
          <Link to="/waitlist/join" prefetch="intent" className="text-link mt-3 inline-flex min-h-11 items-center">
            Join the waitlist
          </Link>
        </div>
        <div className="grid grid-cols-2 gap-8 sm:grid-cols-3">
          {columns.map(({ title, links }) => (
            <nav key={title} aria-labelledby={`footer-${title}`}>
              <h2 id={`footer-${title}`} className="mb-2 text-[15px] font-semibold tracking-normal">
                {title}
              </h2>
              <ul className="text-[15px] text-ink-soft">
                {links.map(({ to, label }) => (
                  <li key={to}>
                    <Link to={to} prefetch="intent" className={link}>
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
      </div>
      <div className="page flex flex-wrap items-center justify-between gap-x-8 gap-y-2 pb-8 text-sm text-ink-soft">
        <Copyright />
        <ul className="flex flex-wrap gap-x-6">
          {socialLinks().map(({ name, url }) => (
            <li key={name}>
              {url ? (
                <a href={url} rel="noopener noreferrer" target="_blank" className={link}>
                  <span>{name}</span>
                  <span className="sr-only"> (opens in a new tab)</span>
                </a>
              ) : (
                <span role="link" aria-disabled="true" className={place}>
                  {name}
                </span>
              )}
            </li>
          ))}
        </ul>
      </div>
    </footer>
  );
}
