/** The brand. */
export const brand = {
  name: "Polara",
  tagline: "Keeps food fresh 3x longer.",
  /** Social profiles in the footer's order; null is a placeholder. */
  social: [
    { name: "Instagram", url: null },
    { name: "YouTube", url: null },
    { name: "Pinterest", url: null },
  ] as readonly { name: string; url: string | null }[],
} as const;
