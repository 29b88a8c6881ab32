/** The shop's public origin, identical on the server and after hydration. */
import { singleton } from "#shop/singleton.ts";

const provided = singleton("base URL", () => ({ url: "" }));

export function setBaseUrl(url: string): void {
  provided.url = url;
}

export function baseUrl(): string {
  return import.meta.env.SSR ? provided.url : (document.documentElement.dataset.baseUrl ?? "");
}
