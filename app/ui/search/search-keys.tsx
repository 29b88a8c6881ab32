import { useState, type ReactNode } from "react";

/** Says which keys work, where there are keys; a shortcut of one letter must be possible to turn off (WCAG 2.1.4). */
export function SearchKeys({ keyOffStored }: { keyOffStored: string }) {
  const [isOn, setOn] = useState(() => read(keyOffStored));
  const turn = (on: boolean) => {
    try {
      if (on) localStorage.removeItem(keyOffStored);
      else localStorage.setItem(keyOffStored, "off");
    } catch {
      // A browser that keeps nothing leaves it on.
    }
    setOn(read(keyOffStored));
  };
  return (
    <div className="mt-6 hidden flex-wrap items-center justify-between gap-x-8 border-t border-line pt-3 text-sm text-ink-soft lg:pointer-fine:flex">
      <p>
        <Key>↑</Key> <Key>↓</Key> to choose, <Key>Enter</Key> to open, <Key>Esc</Key> to close
      </p>
      <label className="flex min-h-11 items-center gap-2.5">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => turn(event.target.checked)}
          className="size-4.5 accent-leaf"
        />
        Open search with the / key
      </label>
    </div>
  );
}

function read(keyOffStored: string): boolean {
  try {
    return localStorage.getItem(keyOffStored) === null;
  } catch {
    return true;
  }
}

function Key({ children }: { children: ReactNode }) {
  return <kbd className="rounded-[5px] border border-line bg-card px-1.5 py-0.5 font-sans text-[13px]">{children}</kbd>;
}
