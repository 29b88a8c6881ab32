/** The tax provider of this process, set once at start. */
import { settings } from "#shop/settings/settings.server.ts";
import { singleton } from "#shop/singleton.ts";
import type { TaxProvider } from "./tax-provider.ts";

const provided = singleton("tax", () => ({ provider: null as TaxProvider | null }));

/** Sets the provider, before the shop is loaded. */
export function provideTax(provider: TaxProvider | null): void {
  provided.provider = provider;
}

/** Null if no tax can be collected. */
export const taxProvider = (): TaxProvider | null => provided.provider;

/** Tax is due in some state, by the settings in force. */
export const collectsTax = (): boolean => taxProvider() !== null && Object.values(settings().tax).includes(true);
