import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { filterQuery, type Filters } from "../../../../shop/catalog/filters.ts";

export type ChangeFilters = (part: Partial<Filters>, waitMs?: number) => void;

/**
 * The filters as the shopper has just set them, ahead of the address, which follows. An address
 * that changes by other means (the back button, a link) sets them.
 */
export function useFilters(filters: Filters): { draft: Filters; change: ChangeFilters } {
  const navigate = useNavigate();
  const query = filterQuery(filters).toString();
  const [draft, setDraft] = useState(filters);
  const [seen, setSeen] = useState(query);
  const [sent, setSent] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => () => clearTimeout(timer.current), []);

  if (query !== seen) {
    setSeen(query);
    if (query === sent) setSent(null);
    else setDraft(filters);
  }

  const change: ChangeFilters = (part, waitMs = 0) => {
    const next = { ...draft, ...part };
    const search = filterQuery(next).toString();
    setDraft(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setSent(search);
      void navigate({ pathname: "/shop", search }, { preventScrollReset: true });
    }, waitMs);
  };
  return { draft, change };
}
