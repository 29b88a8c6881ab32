import { expect, it } from "vitest";
import { startShop } from "../support/shop.ts";
import { STAFF_COOKIE } from "../support/staff-member.ts";
import { AUTH_SECRET, useShop } from "../support/use-shop.ts";

const { shop, visitor, database, staff } = useShop();

/** Received events; `ended` resolves at the end of the stream. */
async function listen(url: string, token: string) {
  const response = await fetch(`${url}/admin/live`, { headers: { Cookie: `${STAFF_COOKIE}=${token}` } });
  expect(response.headers.get("Content-Type")).toMatch(/^text\/event-stream/);
  let text = "";
  const ended = (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk;
  })();
  return { news: () => [...text.matchAll(/event: news\ndata: (\w+)/g)].map(([, kind]) => kind), ended };
}

it("sends live updates on every process, and ends with the process", async () => {
  const second = await startShop({ DATABASE_URL: database.url, AUTH_SECRET, WORKER: "outside" });
  const { token } = await staff("packer");
  const streams = await Promise.all([listen(shop.url, token), listen(second.url, token)]);
  const cause = {
    order: async () => {
      await visitor.add("travel-sleeve");
      expect((await visitor.checkout()).status).toBe(200);
    },
    message: () =>
      visitor.post("/support", { name: "Ada", email: "ada@example.com", message: "Does it hum at night?" }),
    catalog: () => database.pool.query("UPDATE products SET featured = NOT featured WHERE slug = 'travel-sleeve'"),
  };
  for (const [kind, run] of Object.entries(cause)) {
    await run();
    for (const { news } of streams) await expect.poll(news, { timeout: 20_000 }).toContain(kind);
  }
  expect(await second.terminate()).toBe(0);
  await streams[1]!.ended;
});

it("sends live updates to staff only", async () => {
  expect((await visitor.fetch("/admin/live")).status).toBe(404);
  const disabled = await staff("owner", { isDisabled: true });
  expect((await disabled.visitor.fetch("/admin/live")).status).toBe(302);
});
