/** The tax provider of this process, set once at start. */
import { singleton } from "#shop/singleton.ts";
import type { TaxProvider } from "./tax-provider.ts";

const provided = singleton("tax", () => ({ provider: null as TaxProvider | null }));

/** Sets the provider, before the shop is loaded. */
export function provideTax(provider: TaxProvider | null): void {
  provided.provider = provider;
}

/** Null if no tax is collected. */
export const taxProvider = (): TaxProvider | null => provided.provider;
