/** The brand. */
export const brand = {
  name: "Polara",
  tagline: "Keeps food fresh 3x longer.",
} as const;
