/**
 * A document comes with one sheet, of what its own page uses of the styles (page-styles.ts). Who goes on to another page
 * gets all styles after it, once: whatever a page uses then stands in the last sheet, in its right order.
 */
import { createContext, use } from "react";
import { useMatches } from "react-router";
import fontUrl from "../../font.css?url&no-inline";
import stylesUrl from "../../styles.css?url";

export { stylesUrl };
export const ALL_STYLES = [fontUrl, stylesUrl];

/** The back office, like a shop in development, has all styles from the start. */
function ownStyles(): string[] {
  const first = document.querySelector("link[data-precedence]")?.getAttribute("href");
  return first && first !== fontUrl ? [first] : ALL_STYLES;
}

/** The sheets that the document comes with, or came with. */
export const PageStyles = createContext(import.meta.env.SSR ? ALL_STYLES : ownStyles());

let firstPage: string | undefined;
const isFirst = (page = "") => import.meta.env.SSR || page === (firstPage ??= page);

export function Stylesheets() {
  const own = use(PageStyles);
  const sheets = isFirst(useMatches().at(-1)?.id) ? own : [...new Set([...own, stylesUrl])];
  // Their precedence puts them before the scripts, and a page waits for them.
  return sheets.map((href) => <link key={href} rel="stylesheet" href={href} precedence="default" />);
}
