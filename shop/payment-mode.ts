/** Payment availability, set once at start. */
import { singleton } from "./singleton.ts";

const provided = singleton("payment mode", () => ({ hasPayments: false }));

export function setHasPayments(hasPayments: boolean): void {
  provided.hasPayments = hasPayments;
}

export const hasPayments = (): boolean => provided.hasPayments;
