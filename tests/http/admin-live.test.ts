/** What comes in is told to the open pages of the back office, on every process, and to nobody else. */
import { expect, it } from "vitest";
import { startShop } from "../support/shop.ts";
import { makeStaff, STAFF_COOKIE } from "../support/staff-member.ts";
import { useShop } from "../support/use-shop.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, visitor, database } = useShop({ AUTH_SECRET });

/** What is heard from now on; `ended` resolves when the shop ends the stream. */
async function listen(url: string, token: string) {
  const response = await fetch(`${url}/admin/live`, { headers: { Cookie: `${STAFF_COOKIE}=${token}` } });
  expect(response.headers.get("Content-Type")).toMatch(/^text\/event-stream/);
  let text = "";
  const ended = (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk;
  })();
  return { news: () => [...text.matchAll(/event: news\ndata: (\w+)/g)].map(([, kind]) => kind), ended };
}

it("an order and a message are heard on two processes, and neither keeps the other from stopping", async () => {
  const second = await startShop({ DATABASE_URL: database.url, AUTH_SECRET, WORKER: "outside" });
  const packer = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "packer");
  const heard = await Promise.all([listen(shop.url, packer.token), listen(second.url, packer.token)]);
  await visitor.add("travel-sleeve");
  expect((await visitor.checkout()).status).toBe(200);
  for (const { news } of heard) await expect.poll(news, { timeout: 20_000 }).toContain("order");
  await visitor.post("/support", { name: "Ada", email: "ada@example.com", message: "Does it hum at night?" });
  for (const { news } of heard) await expect.poll(news, { timeout: 20_000 }).toContain("message");
  await database.pool.query("UPDATE products SET featured = NOT featured WHERE slug = 'travel-sleeve'");
  for (const { news } of heard) await expect.poll(news, { timeout: 5_000 }).toContain("catalog");
  expect(await second.terminate()).toBe(0);
  await heard[1]!.ended;
});

it("nobody else hears it", async () => {
  expect((await visitor.fetch("/admin/live")).status).toBe(404);
  const disabled = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "owner", { isDisabled: true });
  expect((await disabled.visitor.fetch("/admin/live")).status).toBe(302);
});
