/** How often a race is repeated: a few times, and ROUNDS=20 at night. Cases that alternate have four. */
export const ROUNDS = Number(process.env.ROUNDS ?? 4);
