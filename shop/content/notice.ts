/** Lines above the header, identical on the server and after hydration. */
import { singleton } from "#shop/singleton.ts";

export type Notice = { text: string; to?: string; label?: string };

const provided = singleton("notices", () => ({ read: (): Notice[] => [] }));

export function provideNotices(read: () => Notice[]): void {
  provided.read = read;
}

/** Those of now; in the browser, those of the document. */
export function notices(): Notice[] {
  if (typeof document === "undefined") return provided.read();
  return JSON.parse(document.documentElement.dataset.notices ?? "[]") as Notice[];
}
