import { useLayoutEffect, useState, type ComponentProps } from "react";
import { useHydrated } from "#app/ui/chrome/page-state.ts";

const areaOf = (id: string) => document.getElementById(id) as HTMLTextAreaElement | null;

/** Keeps what was typed before hydration: React gives a textarea its default once more. */
export function Textarea(props: ComponentProps<"textarea"> & { id: string }) {
  const { id } = props;
  const isHydrated = useHydrated();
  const [typed] = useState(() => (isHydrated || typeof document === "undefined" ? undefined : areaOf(id)?.value));
  useLayoutEffect(() => {
    const area = areaOf(id);
    if (area && typed !== undefined && area.value !== typed) area.value = typed;
  }, [id, typed]);
  return <textarea {...props} />;
}
