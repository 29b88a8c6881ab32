/** The one place that says who sells. */
export const brand = {
  name: "Polara",
  tagline: "Keeps food fresh 3x longer.",
  supportEmail: "support@polara.example",
  ordersEmail: "orders@polara.example",
} as const;
