/** Whether somebody takes this shop's payments: told once, when it starts, and the same for everyone. Words follow it. */
const kept = globalThis as { polaraHasPayments?: boolean };

export function setHasPayments(hasPayments: boolean): void {
  kept.polaraHasPayments = hasPayments;
}

export const hasPayments = (): boolean => kept.polaraHasPayments ?? false;
