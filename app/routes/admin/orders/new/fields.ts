/** The lines of the form: each has a product, its quantity, and a price of its own. */
export const MAX_LINES = 10;

export const LINES: number[] = Array.from({ length: MAX_LINES }, (_, place) => place);

export const lineFields = (place: number) =>
  ({ product: `product-${place}`, quantity: `quantity-${place}`, price: `price-${place}` }) as const;

export const PAYMENTS = { link: "Email a link to pay", arranged: "Paid another way", nothing: "Free" } as const;
