import { expect, it } from "vitest";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { placedOrder } from "../support/placed-order.ts";
import { aParcel } from "../support/staff.ts";
import { STAFF_COOKIE } from "../support/staff-member.ts";
import { useShop } from "../support/use-shop.ts";

const { shop, visitor, database, staff } = useShop();

/** Received events; `ended` resolves at the end of the stream. */
async function listen(cookie: string) {
  const response = await fetch(`${shop.url}/admin/live`, { headers: { Cookie: `${STAFF_COOKIE}=${cookie}` } });
  expect(response.headers.get("Content-Type")).toMatch(/^text\/event-stream/);
  let text = "";
  const ended = (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk;
  })();
  return { news: () => [...text.matchAll(/event: news\ndata: (\w+)/g)].map(([, kind]) => kind), ended };
}

it("sends live updates", async () => {
  const { cookie, visitor: packer } = await staff("packer");
  const { news } = await listen(cookie);
  const { id } = await placedOrder(database.db, { "travel-sleeve": 1 });
  const cause = {
    order: async () => {
      await visitor.add("travel-sleeve");
      expect((await visitor.checkout()).status).toBe(200);
    },
    message: () =>
      visitor.post("/support", { name: "Ada", email: "ada@example.com", message: "Does it hum at night?" }),
    change: () => packer.post(`/admin/orders/${id}?intent=hold`, { text: "Looks odd" }),
    catalog: () => database.pool.query("UPDATE products SET featured = NOT featured WHERE slug = 'travel-sleeve'"),
  };
  for (const [kind, run] of Object.entries(cause)) {
    await run();
    await expect.poll(news, { timeout: 20_000 }).toContain(kind);
  }
});

it("announces each change of an order, and a resent email as nothing new", async () => {
  const { cookie, visitor: manager } = await staff("manager");
  const { news } = await listen(cookie);
  const { id } = await placedOrder(database.db, { "travel-sleeve": 3 }, { isArranged: true });
  const acts: [string, Record<string, string>][] = [
    ["delay", { until: daysAfter(newYorkDay(new Date()), 40) }],
    ["hold", { text: "Looks odd" }],
    ["unhold", {}],
    ["ship", { tracking: aParcel(1).trackingNumber }],
    ["deliver", {}],
    ["email", { email: "delivered" }],
  ];
  for (const [done, [intent, fields]] of acts.entries()) {
    expect((await manager.post(`/admin/orders/${id}?intent=${intent}`, fields)).status, intent).toBe(200);
    await expect.poll(news, { message: intent }).toHaveLength(done + 1);
  }
  // Emails are sent in turn, so the resent one has been by now.
  await visitor.post("/support", { name: "Ada", email: "ada@example.com", message: "Is it loud?" });
  await expect.poll(news, { timeout: 20_000 }).toContain("message");
  expect(news().filter((kind) => kind !== "message")).toEqual(acts.map(() => "change"));
});

it("sends live updates to staff only", async () => {
  expect((await visitor.fetch("/admin/live")).status).toBe(404);
  const disabled = await staff("owner", { isDisabled: true });
  expect(await (await disabled.visitor.fetch("/admin/live")).text()).toBe("retry: 20000\n\n");
});

it("ends the streams of a member who is signed out by an owner, and of nobody else", async () => {
  const [owner, packer] = [await staff("owner"), await staff("packer")];
  const [hers, his] = await Promise.all([owner, packer].map(({ cookie }) => listen(cookie)));
  let hasEnded = false;
  void hers!.ended.then(() => (hasEnded = true));
  expect((await owner.visitor.post(`/admin/staff/${packer.staffId}?intent=sign-out`, {})).status).toBe(200);
  await his!.ended;
  expect(hasEnded).toBe(false);
}, 15_000);

it("opens ten streams for a member, and tells a further browser when to try again", async () => {
  const [member, colleague] = [await staff("packer"), await staff("owner")];
  const open = async ({ cookie }: typeof member) => {
    const stop = new AbortController();
    const headers = { Cookie: `${STAFF_COOKIE}=${cookie}` };
    const { body } = await fetch(`${shop.url}/admin/live`, { headers, signal: stop.signal });
    const { value } = await body!.getReader().read();
    return { first: new TextDecoder().decode(value), close: () => stop.abort() };
  };
  const streams = await Promise.all(Array.from({ length: 10 }, () => open(member)));
  for (const { first } of [...streams, await open(colleague)]) expect(first).toContain("event: beat");
  expect((await open(member)).first).toBe("retry: 60000\n\n");
  streams[0]!.close();
  await expect.poll(async () => (await open(member)).first).toContain("event: beat");
});
