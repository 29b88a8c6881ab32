import { SlidersHorizontal, X } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { Dialog, DialogButton } from "#app/ui/overlay/dialog.tsx";
import type { Facets } from "#shop/catalog/catalog.server.ts";
import type { Color } from "#shop/catalog/colors.server.ts";
import type { Filters } from "#shop/catalog/filters.ts";
import { type ChangeFilters, FilterForm } from "./filter-form.tsx";

const LARGE = "(min-width: 64rem)";

type FilterDrawerProps = {
  filters: Filters;
  colors: readonly Color[];
  facets: Facets;
  change: ChangeFilters;
  children: ReactNode;
};

export function FilterDrawer({ filters, colors, facets, change, children }: FilterDrawerProps) {
  const drawer = useRef<HTMLDialogElement>(null);
  const close = () => drawer.current?.close();

  // The sidebar replaces the drawer on large screens.
  useEffect(() => {
    const large = matchMedia(LARGE);
    large.addEventListener("change", close);
    return () => large.removeEventListener("change", close);
  }, []);

  return (
    <div className="lg:hidden">
      <DialogButton opens="filter-drawer" className="button button-quiet min-h-11 px-5">
        <SlidersHorizontal aria-hidden="true" size={18} />
        Filters
      </DialogButton>
      <Dialog
        ref={drawer}
        id="filter-drawer"
        aria-label="Filters"
        className="m-0 h-dvh max-h-none w-[min(88vw,380px)] max-w-none -translate-x-full overscroll-contain bg-paper text-ink transition-[translate,display,overlay] transition-discrete duration-250 ease-out backdrop:bg-ink/40 open:translate-x-0 starting:open:-translate-x-full"
      >
        <div className="sticky top-0 z-20 flex items-center justify-between border-b border-line bg-paper py-2 pr-3 pl-5">
          <h2 className="text-xl font-semibold">Filters</h2>
          <form method="dialog">
            <button aria-label="Close filters" className="icon-button">
              <X aria-hidden="true" size={22} />
            </button>
          </form>
        </div>
        <div className="p-5">
          <FilterForm filters={filters} colors={colors} facets={facets} change={change}>
            <input type="hidden" name="sort" value={filters.sort} />
          </FilterForm>
        </div>
        <form method="dialog" className="sticky bottom-0 z-20 border-t border-line bg-paper p-4 noscript:hidden">
          <button className="button button-primary w-full">{children}</button>
        </form>
      </Dialog>
    </div>
  );
}
