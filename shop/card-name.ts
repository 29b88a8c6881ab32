/** Names of payment cards. */
const BRANDS: Record<string, string> = {
  amex: "American Express",
  diners: "Diners Club",
  jcb: "JCB",
  unionpay: "UnionPay",
};

type Card = { brand: string; lastFour: string };

/** "Visa" or "American Express". */
export const brandName = (brand: string): string => BRANDS[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1);

/** "Visa •••• 4242", or "Link", for a card that is kept for later charges. */
export const savedCardName = ({ brand, lastFour }: Card): string =>
  lastFour ? `${brandName(brand)} •••• ${lastFour}` : brandName(brand);
