import { useEffect, useState } from "react";
import type { SearchResponse } from "../../../shop/search/result.ts";

const PAUSE_MS = 120;

export type Suggestions = SearchResponse & { query: string };

/**
 * What the shop answers to what stands in the box, a moment after the last key. A question that was overtaken
 * by the next one is dropped; until its answer is here, the one before stays.
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
  // JSON has no dates.
  for (const { product } of results) {
    if (product?.earlyBirdEndDate) product.earlyBirdEndDate = new Date(product.earlyBirdEndDate);
  }
  return { results, corrected };
}
