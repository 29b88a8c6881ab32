/** Social profiles in the footer's order, identical on the server and after hydration. */
import type { SocialSettings } from "./settings/settings.ts";
import { singleton } from "./singleton.ts";

const NAMES = { instagram: "Instagram", youtube: "YouTube", pinterest: "Pinterest" } as const;

const provided = singleton("social links", () => ({}) as Partial<SocialSettings>);

export function setSocialLinks(links: SocialSettings): void {
  Object.assign(provided, links);
}

/** The addresses as an attribute of the page. */
export const socialAttribute = (): string =>
  import.meta.env.SSR ? JSON.stringify(provided) : (document.documentElement.dataset.social ?? "{}");

/** A null address is a placeholder. */
export function socialLinks(): { name: string; url: string | null }[] {
  const links = JSON.parse(socialAttribute()) as Partial<SocialSettings>;
  return Object.entries(NAMES).map(([key, name]) => ({ name, url: links[key as keyof typeof NAMES] ?? null }));
}
