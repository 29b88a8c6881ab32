import type { KeyboardEvent, ReactNode } from "react";

type TabListProps = {
  label: string;
  opensOnFocus?: boolean;
  className: string;
  children: ReactNode;
};

/** ARIA tabs pattern: arrow keys, Home and End move the focus, Space opens a tab. */
export function TabList({ label, opensOnFocus, className, children }: TabListProps) {
  const move = (event: KeyboardEvent) => {
    const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")];
    const index = tabs.indexOf(event.target as HTMLElement);
    if (event.key === " " && index >= 0) {
      event.preventDefault();
      return tabs[index]?.click();
    }
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined || index < 0) return;
    event.preventDefault();
    const tab = tabs.at(next % tabs.length);
    tab?.focus();
    if (opensOnFocus) tab?.click();
  };
  return (
    <div role="tablist" aria-label={label} tabIndex={-1} onKeyDown={move} className={className}>
      {children}
    </div>
  );
}
