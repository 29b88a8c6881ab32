/** The shop's public address, the same on the server, which is told it, and after hydration. */
const kept = globalThis as { polaraBaseUrl?: string };

export function setBaseUrl(url: string): void {
  kept.polaraBaseUrl = url;
}

export function baseUrl(): string {
  return import.meta.env.SSR ? (kept.polaraBaseUrl ?? "") : (document.documentElement.dataset.baseUrl ?? "");
}
