/** The provider of carriers of this process, set once at start. */
import { singleton } from "#shop/singleton.ts";
import type { CarrierProvider } from "./carrier-provider.ts";

const provided = singleton("carriers", () => ({ provider: null as CarrierProvider | null }));

/** Sets the provider, before the shop is loaded. */
export function provideCarriers(provider: CarrierProvider | null): void {
  provided.provider = provider;
}

/** Null if staff buy labels elsewhere and paste tracking numbers. */
export const carrierProvider = (): CarrierProvider | null => provided.provider;
