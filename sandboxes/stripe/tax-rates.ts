/** Sales tax of the sandbox: three states, in hundredths of a percent. Every other state has none. */

type Rule = { rate: number; taxesShipping: boolean; zip: RegExp };

export const TAX_RULES: Record<string, Rule> = {
  TX: { rate: 825, taxesShipping: true, zip: /^(?:733|7[5-9]|885)/ },
  CA: { rate: 725, taxesShipping: false, zip: /^9[0-6]/ },
  OR: { rate: 0, taxesShipping: false, zip: /^97/ },
};

/** Cents, with a half rounded up. */
export const taxOf = (cents: number, rate: number): number => Math.round((cents * rate) / 10_000);
