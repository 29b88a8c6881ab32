/** Labels and news of parcels over HTTP, with the sandbox of EasyPost in this process and staff without JavaScript. */
import { createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCarrierSandbox, type CarrierSandbox } from "#sandboxes/easypost/start.ts";
import { easyPost } from "#shop/carriers/easypost.server.ts";
import { trackParcels } from "#shop/carriers/watch-parcels.server.ts";
import { undoShipment } from "#shop/fulfillment/correct-shipment.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { orderUrl } from "#shop/orders/order-link.server.ts";
import { useFreshDatabase } from "../support/fresh-database.ts";
import { placedOrder } from "../support/placed-order.ts";
import { freePort, startShop, type Shop } from "../support/shop.ts";
import { aParcel } from "../support/staff.ts";
import { makeStaff, type StaffMember } from "../support/staff-member.ts";
import { setUnits } from "../support/stock.ts";
import { AUTH_SECRET } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const from = {
  name: "Polara",
  line1: "1 Warehouse Way",
  line2: "",
  city: "Albany",
  state: "NY",
  postalCode: "12207",
  phone: "518-555-0100",
};
const WEBHOOK = "a webhook that only tests know";
const database = useFreshDatabase(10);
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await database.pool.query<Row>(text, values)).rows;

let sandbox: CarrierSandbox;
let shop: Shop;
let env: Record<string, string>;
let packer: StaffMember;

beforeAll(async () => {
  sandbox = await startCarrierSandbox({
    databaseUrl: database.url,
    apiKey: randomUUID(),
    report: (error) => expect.fail(String(error)),
  });
  env = {
    PORT: String(await freePort()),
    DATABASE_URL: database.url,
    AUTH_SECRET,
    CARRIERS: "easypost",
    EASYPOST_API_KEY: sandbox.apiKey,
    EASYPOST_API_URL: sandbox.apiUrl,
    EASYPOST_WEBHOOK_SECRET: WEBHOOK,
  };
  shop = await startShop(env);
  packer = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "packer");
  await setUnits(database.pool, "travel-sleeve", 1_000);
});
afterAll(async () => {
  await shop.stop();
  await sandbox.stop();
});

const place = (units = 1) => placedOrder(database.db, { "charging-dock": units }, { isArranged: true });
const textOf = async (response: Response) => (await response.text()).replaceAll("<!-- -->", "");
const post = (path: string, fields: Record<string, string> = {}) => packer.visitor.post(path, fields);

/** The label and the first of its rates on an order's page. */
async function ratesOf(id: string) {
  const page = await textOf(await post(`/admin/orders/${id}?intent=rates`, { box: "small", ounces: "27" }));
  const value = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]+)"`).exec(page)?.[1] ?? "";
  return { page, label: value("label"), rate: value("rate") };
}

let parcels = 90_100;
const statesOf = (id: string) =>
  query<{ label: string; parcel: string | null; emails: number }>(
    `SELECT labels.state AS label, shipments.state AS parcel, (SELECT count(*)::int FROM pgboss.job
       WHERE data->>'template' = 'order-shipped' AND data->>'orderId' = labels.order_id::text) AS emails
     FROM labels LEFT JOIN shipments ON label_id = labels.id WHERE labels.order_id = $1`,
    [id],
  );

describe("a packer", () => {
  it("sees rates, buys a label and prints it with its slip", async () => {
    const { id } = await place();
    const { page, label, rate } = await ratesOf(id);
    expect(page).toContain("USPS Ground Advantage");
    const bought = await textOf(await post(`/admin/orders/${id}?intent=buy-label`, { label, rate }));
    expect(bought).toContain("Label bought and shipped.");
    const [parcel] = await query<{ id: string }>("SELECT id FROM shipments WHERE order_id = $1", [id]);
    const slips = await textOf(await packer.visitor.fetch(`/admin/orders/slips?ids=${parcel!.id}`));
    expect(slips).toContain(`src="/admin/orders/label/${parcel!.id}"`);
    const picture = await packer.visitor.fetch(`/admin/orders/label/${parcel!.id}`);
    expect([picture.status, picture.headers.get("Content-Type")]).toEqual([200, "image/png"]);
    expect((await new Visitor(shop.url).fetch(`/admin/orders/label/${parcel!.id}`)).status).toBe(404);
    const order = async () => textOf(await packer.visitor.fetch(`/admin/orders/${id}`));
    expect(await order()).toMatch(/<span class="block">1 × charging-dock<\/span>[^]*postage \$\d+\.\d\d</);
    await undoShipment(database.db, id, parcel!.id, null);
    expect(await order()).toMatch(/Label not used: USPS Ground Advantage, \$\d+\.\d\d<[^]*>Refund(?:ed| requested)</);
  });

  it.each([
    ["lost", "Marked as lost.", "A package is lost", "Lost"],
    ["refused", "Marked as refused.", "On its way back", "Refused, coming back"],
  ] as const)("says that a parcel is %s, and sends it again", async (event, done, headline, state) => {
    const { id } = await place();
    const { visitor: owner } = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "owner");
    const customer = new Visitor(shop.url);
    const link = new URL(orderUrl({ id, linkVersion: 1 }, { baseUrl: shop.url, secret: AUTH_SECRET }));
    await customer.fetch(link.pathname + link.search);
    const read = async (who: Visitor, path: string) => textOf(await who.fetch(path));
    const sent = await shipOrder(database.db, null, id, aParcel(++parcels), null);
    const shipment = sent.ok ? sent.shipmentId : "";
    const act = async (intent: string, fields: Record<string, string> = {}) =>
      textOf(await owner.post(`/admin/orders/${id}?intent=${intent}`, { shipment, ...fields }));
    expect(await act(event)).toContain(`${done} The customer was notified.`);
    expect(await read(owner, `/admin/orders/${id}`)).toContain(`>${state}<`);
    expect(await read(owner, "/admin")).toMatch(new RegExp(`Returned or lost[^]*${id.slice(0, 8)}`));
    expect(await read(customer, `/orders/${id}`)).toContain(headline);
    if (event === "refused") {
      expect(await act("returned", { stock: "back" })).toContain(
        "Received. If it is not refunded yet, refund it or send it again.",
      );
      expect(await read(owner, `/admin/orders/${id}`)).toContain(">Refused, back with you<");
    }
    expect(await act("send-again")).toContain("Its items will ship again, without another charge.");
    expect(await read(owner, `/admin/orders/${id}`)).toMatch(/>(?:Came back|Lost), sent again</);
    expect(await read(customer, `/orders/${id}`)).toContain("We’re sending it again");
  });

  it("packs many orders at once; one that cannot ship does not stop the others", async () => {
    const [one, two] = [await place(), await place()];
    const held = await place();
    await query("UPDATE orders SET on_hold_since = now() WHERE id = $1", [held.id]);
    const send = async (intent: string, fields: string[][]) =>
      textOf(
        await packer.visitor.fetch(`/admin/orders?intent=${intent}`, {
          method: "POST",
          body: new URLSearchParams(fields),
          headers: { Origin: shop.url, Accept: "text/html" },
        }),
      );
    const rates = await send(
      "label-rates",
      [one, held, two].map(({ id }) => ["id", id]),
    );
    expect(rates).toMatch(/2 found for (\$\d+\.\d\d) in all, 1 failed\..*Buy 2 labels for \1 and ship/s);
    expect(await statesOf(one.id)).toEqual([{ label: "quoted", parcel: null, emails: 0 }]);
    const quotes = [...rates.matchAll(/name="quote" value="([^"]+)"/g)].map(([, quote = ""]) => ["quote", quote]);
    const text = await send("labels", quotes);
    expect(text).toContain("2 shipped.");
    expect(rates).toContain("This order is on hold.");
    expect(text).toContain("Print labels and slips");
    expect(await statesOf(one.id)).toEqual([{ label: "used", parcel: "shipped", emails: 1 }]);
  });
});

it("a label is bought once if the shop is killed between the purchase and its answer", async () => {
  const { id } = await place();
  const { label, rate } = await ratesOf(id);
  const before = (await sandbox.count()).bought;
  sandbox.faults.push({ path: /buy$/, when: "after", how: "hang" });
  const lost = post(`/admin/orders/${id}?intent=buy-label`, { label, rate }).catch(() => null);
  await expect.poll(async () => (await sandbox.count()).bought).toBe(before + 1);
  await shop.kill();
  await lost;
  expect(await statesOf(id)).toEqual([{ label: "asked", parcel: null, emails: 0 }]);
  // The chore of this minute, which the next start finds at once.
  await query("INSERT INTO pgboss.job (name) VALUES ('parcels')");
  shop = await startShop(env);
  await expect.poll(() => statesOf(id)).toEqual([{ label: "used", parcel: "shipped", emails: 1 }]);
  expect((await sandbox.count()).bought).toBe(before + 1);
});

describe("news of a parcel", () => {
  const send = (body: string, secret = WEBHOOK) =>
    fetch(`${shop.url}/carriers/easypost/events`, {
      method: "POST",
      body,
      headers: {
        "Content-Type": "application/json",
        "X-Hmac-Signature": `hmac-sha256-hex=${createHmac("sha256", secret).update(body).digest("hex")}`,
      },
    });
  const event = (trackingNumber: string, status = "delivered") =>
    JSON.stringify({
      id: `evt_${randomUUID()}`,
      description: "tracker.updated",
      result: { object: "Tracker", tracking_code: trackingNumber, status },
    });

  it("is refused without a signature, forged, changed, or too large", async () => {
    const body = event("1Z1");
    expect((await send(body, "another secret, which is wrong")).status).toBe(400);
    const bare = await fetch(`${shop.url}/carriers/easypost/events`, { method: "POST", body });
    expect(bare.status).toBe(400);
    expect((await send(event("1Z".repeat(300_000)))).status).toBe(413);
    expect((await send(event("1Z999AA1NOBODYS000"))).status).toBe(200);
  });

  it("is not believed but read from the carrier, who delivers the order by itself", async () => {
    const { id } = await place();
    const { trackingNumber } = aParcel(90_010);
    await post(`/admin/orders/${id}?intent=ship`, { tracking: trackingNumber });
    const stateOf = () =>
      query("SELECT status, progress FROM orders JOIN shipments ON order_id = orders.id WHERE orders.id = $1", [id]);
    const { apiKey, apiUrl } = sandbox;
    const carrier = easyPost({
      webhookSecret: null,
      from: () => from,
      connect: async () => ({ apiKey, apiUrl, fetch }),
    });
    const read = () => trackParcels(database.db, carrier, (error) => expect.fail(String(error)));
    await sandbox.setStatus(trackingNumber, "in_transit");
    await send(event(trackingNumber, "delivered"));
    await read();
    expect(await stateOf()).toEqual([{ status: "shipped", progress: "in-transit" }]);
    await sandbox.setStatus(trackingNumber, "delivered");
    for (const status of ["delivered", "in_transit"]) await send(event(trackingNumber, status));
    await read();
    expect(await stateOf()).toEqual([{ status: "delivered", progress: "in-transit" }]);
    const emails = "SELECT FROM pgboss.job WHERE data->>'template' = 'order-delivered' AND data->>'orderId' = $1";
    expect(await query(emails, [id])).toHaveLength(1);
  });
});

describe("the address at the checkout", () => {
  const MIAN = { shippingAddressLine1: "12 Mian Street" };
  const order = async (fields: Record<string, string>) => {
    const guest = new Visitor(shop.url);
    await guest.add("travel-sleeve");
    const email = `buyer-${randomUUID()}@example.com`;
    const submit = async (more: Record<string, string> = {}) => {
      const response = await guest.checkout({ email, ...fields, ...more });
      return { status: response.status, text: await textOf(response) };
    };
    const street = async () =>
      (
        await query<{ street: string }>("SELECT shipping_address_line1 AS street FROM orders WHERE email = $1", [email])
      )[0]?.street;
    return { submit, street };
  };
  /** The value of the field or button with a name, whose attributes are in any order. */
  const valueOf = (text: string, name: string) => {
    const [tag = ""] = (text.match(/<(?:input|button)[^>]*>/g) ?? []).filter((each) => each.includes(`name="${name}"`));
    return (/value="([^"]+)"/.exec(tag)?.[1] ?? "").replaceAll("&amp;", "&");
  };

  it("is asked about once, without JavaScript, and taken as the shopper chooses", async () => {
    const suggested = await order(MIAN);
    const first = await suggested.submit();
    expect([first.status, await suggested.street()]).toEqual([409, undefined]);
    expect(first.text).toContain("Did you mean this address?");
    expect(first.text).toContain("12 Main Street");
    // Enter in a field presses the first button, and what was just typed must stay.
    expect(first.text).toMatch(/<form[^>]*id="checkout"(?:(?!<button)[\s\S])*<button type="submit" hidden=""/);
    await suggested.submit({ address: valueOf(first.text, "address") });
    expect(await suggested.street()).toBe("12 Main Street");
    const kept = await order(MIAN);
    const asked = valueOf((await kept.submit()).text, "addressAsked");
    await kept.submit({ addressAsked: asked });
    expect(await kept.street()).toBe("12 Mian Street");
  });

  it.each([
    ["they do not answer", "1 Down St"],
    ["they answer too late", "1 Slow St"],
  ])("is not asked about if %s", async (_what, street) => {
    const { submit, street: placed } = await order({ shippingAddressLine1: street });
    await submit();
    expect(await placed()).toBe(street);
  });
});
