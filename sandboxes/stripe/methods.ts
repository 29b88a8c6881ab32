/** Payment methods of the page, with the days of their authorization. */
export const METHODS = {
  card: { label: "Card", days: 7 },
  link: { label: "Link", days: 7 },
  klarna: { label: "Klarna", days: 28 },
  affirm: { label: "Affirm", days: 30 },
  amazon_pay: { label: "Amazon Pay", days: 7 },
  cashapp: { label: "Cash App", days: 7 },
} as const;
export type MethodType = keyof typeof METHODS;
export const METHOD_TYPES = Object.keys(METHODS) as MethodType[];

/** Methods other than cards that a page offers; the page has a button for each. */
export const buttonsOf = (allowed: string[] | null): MethodType[] =>
  METHOD_TYPES.filter((type) => type !== "card" && allowed?.includes(type));
