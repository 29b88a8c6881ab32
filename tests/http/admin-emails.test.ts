/** Failed emails and alerts in the back office, without JavaScript. */
import { expect, it } from "vitest";
import { emailTo } from "../support/mailbox.ts";
import { someEmail, useShop } from "../support/use-shop.ts";

const { shop, database, staff } = useShop();
const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;

const job = async (email: string, state: string): Promise<string> =>
  (
    await query(
      `INSERT INTO pgboss.job (name, data, state, created_on, start_after, output)
       VALUES ('mail', $1, $2, now() - interval '2 hours', now() + interval '1 hour', '{"error": "Error", "responseCode": 550}')
       RETURNING id`,
      [{ template: "account-deleted", email }, state],
    )
  )[0].id;

it("failed emails are found from Today, sent again and removed", async () => {
  const { visitor } = await staff("support");
  const read = async (path: string) => (await visitor.fetch(path)).text();
  const [ada, ben, eve] = [someEmail(), someEmail(), someEmail()];
  const [, , third] = [await job(ada, "failed"), await job(ben, "failed"), await job(eve, "failed")];
  expect(await read("/admin")).toMatch(/Failed emails[^]*href="\/admin\/emails"/);
  const list = await read("/admin/emails");
  for (const email of [ada, ben, eve]) expect(list).toContain(email);
  expect(list).toContain("Error 550");
  const [, page = ""] = /name="page" value="([^"]+)"/.exec(list) ?? [];
  const post = async (intent: string, fields: Record<string, string>) =>
    (await visitor.post(`/admin/emails?intent=${intent}`, fields)).text();
  expect(await post("remove", { page })).toContain("Select the emails first.");
  expect(await post("remove", { id: third, page })).toContain("Email removed.");
  expect(await post("send-again", { page })).toContain("2 emails sent again.");
  expect(await post("send-again", { page })).toContain("A colleague was faster");
  expect(await read("/admin/emails")).toContain("No failed emails.");
  for (const email of [ada, ben]) expect((await emailTo(shop.url, email, "deleted")).to).toBe(email);
});

it("an alert is on Today for owners and managers", async () => {
  await job(someEmail(), "retry");
  const titleFor = async (role: "owner" | "manager" | "support") =>
    (await (await (await staff(role)).visitor.fetch("/admin")).text()).includes("Jobs are waiting");
  expect([await titleFor("owner"), await titleFor("manager"), await titleFor("support")]).toEqual([true, true, false]);
  const gauges = await (await fetch(`${shop.url}/metrics`)).text();
  expect(gauges).toContain('polara_alert{name="jobs"} 1\n');
});
