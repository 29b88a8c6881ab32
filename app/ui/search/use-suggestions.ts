import { useEffect, useState } from "react";
import type { SearchResponse } from "#shop/search/result.ts";

const PAUSE_MS = 120;

export type Suggestions = SearchResponse & { query: string };

/**
 * Debounced suggestions for the typed text. A superseded request is aborted; the old suggestions stay until new ones
 * arrive.
 */
export function useSuggestions(typed: string): { response: Suggestions | null; failed: boolean } {
  const query = typed.trim();
  const [response, setResponse] = useState<Suggestions | null>(null);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    if (query === "") return;
    const overtaken = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const found = await ask(query, overtaken.signal);
        setResponse({ query, ...found });
        setFailed(false);
      } catch {
        if (!overtaken.signal.aborted) setFailed(true);
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      overtaken.abort();
    };
  }, [query]);

  return query === "" ? { response: null, failed: false } : { response, failed };
}

async function ask(query: string, signal: AbortSignal): Promise<SearchResponse> {
  const response = await fetch(`/search.json?${new URLSearchParams({ q: query })}`, { signal });
  if (!response.ok) throw new Error(`The search answered ${response.status}.`);
  const { results, corrected } = (await response.json()) as SearchResponse;
  for (const { product } of results) {
    if (product?.earlyBirdEndDate) product.earlyBirdEndDate = new Date(product.earlyBirdEndDate);
  }
  return { results, corrected };
}
