/** Random requests of returns. */
import { randomInt as random, randomUUID } from "node:crypto";
import type { Database } from "#db/connection.server.ts";
import { exchangeChoices } from "#shop/returns/exchange.server.ts";
import { RETURN_KINDS } from "#shop/returns/lifecycle.ts";
import { requestReturn, returnOptions } from "#shop/returns/request.server.ts";
import { fitsKind, RETURN_REASONS } from "#shop/returns/return.ts";
import type { TaxProvider } from "#shop/tax/tax-provider.ts";

const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;

/** A buyer asks for a return of any kind, pressing twice. Of a repair nothing can come back. */
export async function askForReturn({ db, tax }: { db: Database; tax: TaxProvider }, id: string): Promise<void> {
  const kind = pick(RETURN_KINDS);
  const reasons = (Object.keys(RETURN_REASONS) as (keyof typeof RETURN_REASONS)[]).filter((each) =>
    fitsKind(each, kind),
  );
  const lines = (await returnOptions(db, id)) ?? [];
  if (lines.length === 0) return;
  const line = pick(lines);
  const units = 1 + random(3);
  const choices = kind === "exchange" ? await exchangeChoices(db, id, { lineId: line.lineId, units }) : [];
  const exchange = choices.length > 0 ? pick(choices) : null;
  const form = { formKey: randomUUID(), kind, reason: pick(reasons), description: "", exchange };
  const asked = () => requestReturn(db, tax, id, { ...form, units: { [line.lineId]: units } }, "guest");
  await Promise.all([asked(), asked()]);
}
