import { Link } from "react-router";
import { TabList } from "../../ui/content/tab-list.tsx";
import { TABS, tabPath, type TabId } from "./action-result.ts";

/** The tabs as links: each has its address, and works without JavaScript. */
export function AccountTabs({ open }: { open: TabId }) {
  return (
    <TabList
      label="Account"
      className="mt-7 flex justify-between gap-x-1 border-b border-line outline-none sm:justify-start sm:gap-x-8 lg:mt-9"
    >
      {TABS.map(({ id, label }) => (
        <Link
          key={id}
          to={tabPath(id)}
          preventScrollReset
          role="tab"
          id={`account-tab-${id}`}
          aria-selected={open === id}
          aria-controls="account-panel"
          className="-mb-px inline-flex min-h-13 items-center border-b-2 border-transparent px-0.5 font-medium text-ink-soft -outline-offset-4! hover:text-ink aria-selected:border-ink aria-selected:text-ink sm:text-lg"
        >
          {label}
        </Link>
      ))}
    </TabList>
  );
}
