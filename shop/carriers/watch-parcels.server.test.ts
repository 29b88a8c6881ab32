/** Parcels whose news is doubled, reversed, late, forged or lost: each ends in one state, with one event and one email. PARCELS=500 is that many. */
import { setImmediate as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Tracking } from "#shop/fulfillment/shipment.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { CarrierError, type CarrierProvider } from "./carrier-provider.ts";
import { noteNews, trackParcels } from "./watch-parcels.server.ts";

const shop = useFreshDatabase();
const PARCELS = Number(process.env.PARCELS ?? 120);
const ROUNDS = 6;

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await shop.pool.query<Row>(text, values)).rows;

/** The same numbers in each run. */
function* randomNumbers(seed = 20_261_126): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    yield state / 2 ** 32;
  }
}
const random = randomNumbers();
const below = (limit: number) => Math.floor(random.next().value * limit);

const JOURNEYS: Tracking["state"][][] = [
  ["in-transit", "out-for-delivery", "delivered"],
  ["in-transit", "delivered"],
  ["in-transit", "out-for-delivery", "refused"],
  ["in-transit", "lost"],
  ["lost"],
  ["refused"],
];

type Parcel = { orderId: string; number: string; journey: Tracking["state"][]; reached: number };

/** An order with one parcel that has just shipped. */
async function shippedParcel(i: number): Promise<Parcel> {
  const { id: orderId } = await placedOrder(shop.db, { "charging-dock": 1 }, { isArranged: true });
  const number = `1Z999AA1${String(i).padStart(10, "0")}`;
  await query("UPDATE orders SET stage = 'shipped' WHERE id = $1", [orderId]);
  const [sent] = await query<{ id: string }>(
    `INSERT INTO shipments (order_id, carrier, tracking_number, state, created_at, shipped_at)
     VALUES ($1, 'ups', $2, 'shipped', now(), now() - interval '1 day') RETURNING id`,
    [orderId, number],
  );
  await query("INSERT INTO shipment_units (shipment_id, order_id, unit) VALUES ($1, $2, 1)", [sent!.id, orderId]);
  return { orderId, number, journey: JOURNEYS[i % JOURNEYS.length]!, reached: 0 };
}

it(`${PARCELS} parcels end as the carrier says, with one email each`, async () => {
  const parcels: Parcel[] = [];
  for (let i = 0; i < PARCELS; i += 10)
    parcels.push(...(await Promise.all(Array.from({ length: 10 }, (_, k) => shippedParcel(i + k)))));
  const byNumber = new Map(parcels.map((parcel) => [parcel.number, parcel]));
  let isSteady = false;
  const carrier = {
    async track(_carrier, number) {
      const { journey, reached } = byNumber.get(number)!;
      const state = journey[reached - 1];
      const at = new Date();
      // Some answers are lost, and others arrive after later ones.
      if (!isSteady && below(40) === 0) throw new CarrierError("away", "503");
      for (let ticks = below(4); ticks > 0 && !isSteady; ticks--) await pause();
      return state ? { state, at } : null;
    },
  } as CarrierProvider;
  const read = () => trackParcels(shop.db, carrier, (error) => expect(error).toBeInstanceOf(CarrierError));

  for (let round = 0; round < ROUNDS; round++) {
    const events = parcels.flatMap((parcel) => {
      const moves = below(3) === 0 && parcel.reached < parcel.journey.length;
      if (moves) parcel.reached += 1;
      // Doubled news, news about nothing, and news that never comes.
      return Array.from({ length: moves ? 1 + below(3) - below(2) : below(2) }, () => parcel.number);
    });
    const news = events.toSorted(() => below(3) - 1).map((number) => noteNews(shop.db, number));
    await Promise.all([...news, noteNews(shop.db, "1Z999AA1FORGED0000"), read(), read()]);
  }
  // The schedule asks about those whose news was lost.
  for (const parcel of parcels) parcel.reached = parcel.journey.length;
  isSteady = true;
  await query("UPDATE shipments SET tracked_at = tracked_at - interval '4 hours'");
  await read();
  for (const { number } of parcels) await noteNews(shop.db, number);
  await read();

  const found = await query<{ id: string; state: string; status: string; events: string[]; emails: string[] }>(
    `SELECT orders.id, shipments.state, orders.status,
       (SELECT coalesce(array_agg(type ORDER BY id), '{}') FROM order_events WHERE order_id = orders.id) AS events,
       (SELECT coalesce(array_agg(data->>'template'), '{}') FROM pgboss.job WHERE data->>'orderId' = orders.id::text) AS emails
     FROM orders JOIN shipments ON shipments.order_id = orders.id`,
  );
  const byOrder = new Map(found.map((row) => [row.id, row]));
  const expected = { delivered: ["delivered", "order-delivered"], refused: ["parcel-refused"], lost: ["parcel-lost"] };
  for (const { orderId, journey } of parcels) {
    const end = journey.at(-1) as keyof typeof expected;
    const [event, email = event] = expected[end];
    expect(byOrder.get(orderId)).toEqual({
      id: orderId,
      state: end,
      status: end === "delivered" ? "delivered" : "shipped",
      events: [event],
      emails: [email],
    });
  }
});

it("a lost parcel of which nobody needs to know more is asked about, too", async () => {
  const { orderId, number } = await shippedParcel(PARCELS);
  await query("UPDATE shipments SET state = 'lost' WHERE order_id = $1", [orderId]);
  await query("UPDATE orders SET attention = '{}' WHERE id = $1", [orderId]);
  const carrier = {
    track: (_carrier, asked) =>
      Promise.resolve(asked === number ? ({ state: "delivered", at: new Date() } as const) : null),
  } as CarrierProvider;
  await trackParcels(shop.db, carrier, (error) => expect.fail(String(error)));
  expect(await query("SELECT state FROM shipments WHERE order_id = $1", [orderId])).toEqual([{ state: "delivered" }]);
});
