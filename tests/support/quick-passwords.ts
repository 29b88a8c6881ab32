/**
 * Hashing a password takes a third of a second of a processor, and most tests are about something else. Whoever loads
 * this hashes at a thousandth of it: hashes say what they always say, and only processes that loaded it understand them.
 * The true cost is tried by tests/nightly/password-cost.test.ts.
 */
import crypto, { type BinaryLike, type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const COST = 2 ** 17;
const QUICK = 2 ** 7;
const { scrypt } = crypto;

type Done = Parameters<typeof scrypt>[4];

function quick(password: BinaryLike, salt: BinaryLike, length: number, options: ScryptOptions, done: Done): void {
  scrypt(password, salt, length, { ...options, N: options.N === COST ? QUICK : options.N }, done);
}

Object.assign(crypto, { scrypt: quick });
syncBuiltinESMExports();
