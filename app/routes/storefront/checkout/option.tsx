import type { ReactNode } from "react";

/** Class of the box around options. */
export const OPTIONS = "divide-y divide-line overflow-hidden rounded-card border border-[#8a8d8a] bg-card";

type OptionProps = { name: string; value: string; isChecked: boolean; children: ReactNode };

/** One of several ways, as a radio button with its description. */
export function Option({ name, value, isChecked, children }: OptionProps) {
  return (
    <label className="flex min-h-16 items-center gap-4 px-5 py-3 outline-offset-[-3px] outline-leaf has-checked:bg-leaf-light/45 has-focus-visible:outline-2">
      <input
        type="radio"
        name={name}
        value={value}
        defaultChecked={isChecked}
        className="size-5 shrink-0 accent-leaf outline-none"
      />
      {children}
    </label>
  );
}
