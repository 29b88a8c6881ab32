/** PayPal's amounts, which are decimals in a string. */
import { z } from "#shop/zod.ts";
import { decimalMoney } from "#shop/money.ts";

export type PayPalMoney = { currency_code: string; value: string };

export const payPalMoney = (cents: number): PayPalMoney => ({ currency_code: "USD", value: decimalMoney(cents) });

/** Reads an amount as cents and a currency in lower case. Other decimals than of dollars are refused. */
export const moneySchema = z
  .object({ currency_code: z.string(), value: z.string().regex(/^\d{1,9}(?:\.\d{1,2})?$/) })
  .transform(({ currency_code: currency, value }) => ({
    currency: currency.toLowerCase(),
    cents: Math.round(Number(value) * 100),
  }));
