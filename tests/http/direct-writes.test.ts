/** Writes of the page's script are answered without the router: nobody can tell from what comes of them. */
import { UNSAFE_decodeViaTurboStream as decode } from "react-router";
import { expect, it } from "vitest";
import { useShop } from "../support/use-shop.ts";
import { address, aKey, Visitor } from "../support/visitor.ts";

const { shop } = useShop();

type Sent = { body?: string; headers?: Record<string, string>; fields?: Record<string, string> };

function send(guest: Visitor, path: string, accept: string, { body, headers, fields }: Sent): Promise<Response> {
  return guest.fetch(path, {
    method: "POST",
    body: body ?? new URLSearchParams(fields),
    headers: { Origin: shop.url, Accept: accept, ...headers },
  });
}

const direct = (guest: Visitor, path: string, sent: Sent) => send(guest, path, "application/json", sent);
const routed = (guest: Visitor, path: string, sent: Sent) => send(guest, `${path}.data`, "*/*", sent);

async function resultOf(answer: Response): Promise<unknown> {
  if (answer.headers.get("Content-Type") === "application/json") return answer.json();
  if (!answer.headers.get("Content-Type")?.startsWith("text/x-script") || !answer.body) return null;
  const { value } = await decode(answer.body, globalThis);
  return (value as { data?: unknown }).data ?? null;
}

/** Ids, keys and signatures differ from guest to guest. */
const alike = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/[0-9a-f-]{36}(?:\.[\w-]{43})?|(?<==)[\w-]{43}/g, "id"));

const OF_THE_CONNECTION = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];
const OF_THE_BODY = ["content-type", "content-encoding", "vary", "x-remix-response"];

async function look(answer: Response) {
  const headers = [...answer.headers].filter(([name]) => ![...OF_THE_CONNECTION, ...OF_THE_BODY].includes(name));
  return alike({ status: answer.status, headers, result: await resultOf(answer) });
}

const UNKNOWN = "3f0c1f9e-7a53-4f0e-9d2c-111111111111";
const lineOf = async (guest: Visitor) =>
  /name="itemId" value="([^"]+)"/.exec(await (await guest.fetch("/cart")).text())?.[1] ?? "";
const product = (slug: string, quantity: string) => async (guest: Visitor) => ({
  fields: { productId: await guest.productId(slug), quantity },
});
/** A guest who has something in the cart. */
const withCart = (fields: (guest: Visitor) => Promise<Record<string, string>>) => async (guest: Visitor) => {
  await guest.add("travel-sleeve", 2);
  return { fields: await fields(guest) };
};

const cases: [what: string, path: string, status: number, sent: (guest: Visitor) => Promise<Sent>][] = [
  ["an add of a new guest", "/cart/add", 200, product("travel-sleeve", "2")],
  ["an add beyond the stock", "/cart/add", 200, product("lid-gasket-set", "9")],
  ["an add of what is sold out", "/cart/add", 409, product("produce-basket", "1")],
  ["an add of nothing", "/cart/add", 404, async () => ({ fields: { productId: UNKNOWN, quantity: "1" } })],
  ["an add without its fields", "/cart/add", 400, async () => ({ fields: {} })],
  ["a field that the form does not have", "/cart/add", 400, async () => ({ fields: { price: "1" } })],
  ["another encoding", "/cart/add", 415, async () => ({ body: "{}", headers: { "Content-Type": "application/json" } })],
  ["a form larger than a form", "/checkout", 413, async () => ({ fields: { email: "x".repeat(100_000) } })],
  ["a new quantity", "/cart/update", 200, withCart(async (guest) => ({ itemId: await lineOf(guest), quantity: "5" }))],
  ["a quantity of nobody's line", "/cart/update", 404, async () => ({ fields: { itemId: UNKNOWN, quantity: "5" } })],
  ["a removal", "/cart/remove", 200, withCart(async (guest) => ({ itemId: await lineOf(guest) }))],
  ["a clearing", "/cart/clear", 200, withCart(async () => ({}))],
  ["an order", "/checkout", 200, withCart(async (guest) => ({ ...address, ...(await guest.checkoutFields()) }))],
  [
    "an order of nobody's cart",
    "/checkout",
    409,
    async () => ({ fields: { ...address, checkoutKey: aKey(), seen: "" } }),
  ],
  ["an order without an address", "/checkout", 400, withCart((guest) => guest.checkoutFields())],
];

it.each(cases)("as the router answers: %s", async (_what, path, status, sent) => {
  const [one, other] = [new Visitor(shop.url), new Visitor(shop.url)];
  const answer = await direct(one, path, await sent(one));
  expect(answer.status).toBe(status);
  expect(await look(answer)).toEqual(await look(await routed(other, path, await sent(other))));
});

it("another site's form is refused, and the refusal runs nothing", async () => {
  const guest = new Visitor(shop.url);
  const headers = { Origin: "https://evil.example" };
  const answer = await direct(guest, "/cart/add", { ...(await product("travel-sleeve", "1")(guest)), headers });
  expect(answer.status).toBe(403);
  expect(answer.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  expect(answer.headers.getSetCookie()).toEqual([]);
});

it("an answer is JSON with its length, and not streamed", async () => {
  const guest = new Visitor(shop.url);
  const { headers } = await direct(guest, "/cart/add", await product("travel-sleeve", "1")(guest));
  expect(headers.get("Content-Type")).toBe("application/json");
  expect(Number(headers.get("Content-Length"))).toBeGreaterThan(100);
});

it("a long answer is compressed, and still the cart", async () => {
  const guest = new Visitor(shop.url);
  for (const slug of ["travel-sleeve", "lid-gasket-set", "polara-pro-earth-green"]) await guest.add(slug);
  const answer = await direct(guest, "/cart/add", await product("charging-dock", "1")(guest));
  expect(answer.headers.get("Content-Encoding")).toBe("gzip");
  expect(await answer.json()).toMatchObject({ ok: true, cart: { totals: { itemCount: 4 } } });
});
