import { useState, type ReactNode } from "react";
import { isKeyOn, turnKey } from "./search-key.ts";

/** Says which keys work, where there are keys; a shortcut of one letter must be possible to turn off (WCAG 2.1.4). */
export function SearchKeys() {
  const [isOn, setOn] = useState(isKeyOn);
  const change = (on: boolean) => {
    turnKey(on);
    setOn(isKeyOn());
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
          onChange={(event) => change(event.target.checked)}
          className="size-4.5 accent-leaf"
        />
        Open search with the / key
      </label>
    </div>
  );
}

function Key({ children }: { children: ReactNode }) {
  return <kbd className="rounded-[5px] border border-line bg-card px-1.5 py-0.5 font-sans text-[13px]">{children}</kbd>;
}
