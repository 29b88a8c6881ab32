import { Status, type Tone } from "#app/ui/admin/page-head.tsx";

/** Texts that are known by what they are rather than by their title. */
const NAMES: Record<string, string> = {
  home: "Home",
  notice: "Notice bar",
  faq: "Questions on product pages",
};

/** "emails-parcel-shipped" is "Package shipped". */
export function nameOf(key: string): string | undefined {
  if (!key.startsWith("emails-")) return NAMES[key];
  const words = key.slice("emails-".length).replaceAll("-", " ").replace("parcel", "package");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `first` is the edition of the code, which no version of the staff covers. */
export type TextState = "first" | "draft" | "scheduled" | "replaced" | "live" | "ended" | "earlier" | "withdrawn";

const STATES: Record<TextState, [tone: Tone, label: string]> = {
  first: ["quiet", "Not changed"],
  draft: ["soon", "Draft"],
  scheduled: ["soon", "Scheduled"],
  replaced: ["quiet", "Replaced"],
  live: ["done", "Live"],
  ended: ["quiet", "Ended"],
  earlier: ["quiet", "Earlier"],
  withdrawn: ["quiet", "Withdrawn"],
};

export function TextStatus({ state }: { state: TextState }) {
  const [tone, label] = STATES[state];
  return <Status tone={tone}>{label}</Status>;
}
