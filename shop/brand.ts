/** The one place that says who sells. */
export const brand = {
  name: "Polara",
  tagline: "Keeps food fresh 3x longer.",
  supportEmail: "support@polara.example",
  ordersEmail: "orders@polara.example",
  /** Its profiles elsewhere, in the footer's order; null is a placeholder until there is one. */
  social: [
    { name: "Instagram", url: null },
    { name: "YouTube", url: null },
    { name: "Pinterest", url: null },
  ] as readonly { name: string; url: string | null }[],
} as const;
