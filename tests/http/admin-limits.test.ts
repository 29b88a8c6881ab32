/** Limits of requests in the back office, on a shop with a twentieth of them: 12 pages and 60 live requests a minute. */
import { expect, it } from "vitest";
import { STAFF_COOKIE } from "../support/staff-member.ts";
import { useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const { shop, database, staff } = useShop({ RATE_LIMIT_SCALE: "0.05" });

/** The statuses of so many requests, each once. */
async function statuses(who: Visitor, path: string, times: number): Promise<number[]> {
  const seen = new Set<number>();
  for (let i = 0; i < times; i++) seen.add((await who.fetch(path)).status);
  return [...seen];
}

it("members have limits of their own, whoever shares their network; forged cookies do not", async () => {
  const [packer, owner] = [await staff("packer"), await staff("owner")];
  const [guest, forger] = [new Visitor(shop.url), new Visitor(shop.url)];
  expect(await statuses(guest, "/admin/orders", 12)).toEqual([404]);
  expect(await statuses(guest, "/admin/orders", 1)).toEqual([429]);
  expect(await statuses(packer.visitor, "/admin/orders", 12)).toEqual([200]);
  expect(await statuses(packer.visitor, "/admin/orders", 1)).toEqual([429]);
  expect(await statuses(owner.visitor, "/admin/orders", 1)).toEqual([200]);
  forger.carry(
    STAFF_COOKIE,
    owner.cookie.replace(/.$/, (last) => (last === "A" ? "E" : "A")),
  );
  expect(await statuses(forger, "/admin/orders", 1)).toEqual([429]);
});

it("requests for live updates are counted before the database is asked", async () => {
  const { visitor, sessionId } = await staff("packer");
  await database.pool.query("UPDATE staff_sessions SET ended_at = now(), end_reason = 'owner' WHERE id = $1", [
    sessionId,
  ]);
  for (let i = 0; i < 12; i++) expect(await (await visitor.fetch("/admin/live")).text()).toBe("retry: 20000\n\n");
  // The ended session is not seen anymore.
  for (let i = 12; i < 60; i++) await visitor.fetch("/admin/live");
  const limited = await visitor.fetch("/admin/live");
  expect([limited.status, limited.headers.get("Content-Type"), await limited.text()]).toEqual([
    200,
    "text/event-stream",
    "retry: 60000\n\n",
  ]);
});
