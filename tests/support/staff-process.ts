/** Staff who ship and refund what they are told on their input, all of it at once. */
import { createInterface } from "node:readline";
import { openDatabase } from "#db/connection.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { resolveReturn } from "#shop/returns/handle.server.ts";
import { providerOf } from "./provider-of.ts";
import { aParcel, type ToShip } from "./staff.ts";

for await (const line of createInterface(process.stdin)) {
  const { databaseUrl, sandbox, shop, orderIds, from, returnIds = [] }: ToShip = JSON.parse(line);
  const { db } = openDatabase(databaseUrl, 10, null);
  const providers = providerOf(sandbox, shop);
  await Promise.all([
    ...orderIds.map((id, i) => shipOrder(db, providers, id, aParcel(from + i), null)),
    ...returnIds.map((id) => resolveReturn(db, { providers, taxProvider: null }, id, { outcome: "refund" }, null)),
  ]);
}
