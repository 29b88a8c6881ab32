/** Charges of returns, which the customer pays at the provider from the page of the return. */
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { markDelivered } from "#shop/fulfillment/fulfill.server.ts";
import { requestReturn, type ReturnRequest } from "#shop/returns/request.server.ts";
import { emailTo } from "../../support/mailbox.ts";
import { textOf } from "../../support/page-data.ts";
import { payOnPage } from "../../support/pay-page.ts";
import { usePayingShop } from "../../support/paying-shop.ts";
import { aParcel } from "../../support/staff.ts";
import { makeStaff } from "../../support/staff-member.ts";
import { AUTH_SECRET } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const { shop, database, reserve, pay, comeBack, until, query, expectBooksToAgree } = usePayingShop({ AUTH_SECRET });
let parcels = 70_000;

/** A delivered bowl of $89, a return of it, and the two pages that lead it to its end. */
async function returned(request: Pick<ReturnRequest, "kind" | "reason"> & { wanted?: string }) {
  const { visitor: manager } = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "manager");
  const placed = await reserve("polara-classic-frost-white");
  const { orderId, guest } = placed;
  await comeBack(placed, await pay(placed));
  await until(orderId, "processing");
  await manager.post(`/admin/orders/${orderId}?intent=ship`, { tracking: aParcel(++parcels).trackingNumber });
  await until(orderId, "shipped");
  await markDelivered(database.db, orderId, null);
  const [line] = await query<{ id: string }>("SELECT id FROM order_items WHERE order_id = $1", [orderId]);
  const [product] = await query<{ id: string }>("SELECT id FROM products WHERE slug = $1", [request.wanted ?? ""]);
  const asked = await requestReturn(
    database.db,
    null,
    orderId,
    {
      ...request,
      description: "",
      formKey: randomUUID(),
      units: { [line!.id]: 1 },
      ...(product && { exchange: { productId: product.id, differenceCents: 10_00 } }),
    },
    "customer",
  );
  if (!asked.ok) throw new Error(asked.reason);
  const { returnId, number } = asked;
  const path = `/orders/${orderId}/returns/${number}`;
  const headline = async () =>
    textOf(/<h1[^>]*>.*?<\/h1>/.exec(await (await guest.fetch(path)).text())?.[0] ?? "").trim();
  /** An action of staff. Returns the answer, and then the headline of the customer. */
  async function act(intent: string, fields: Record<string, string> = {}) {
    const answer = await manager.post(`/admin/returns/${returnId}?intent=${intent}`, fields);
    return [textOf(await answer.text()), await headline()];
  }
  async function inspect(condition: string) {
    await act("receive");
    return act("inspect", { condition: `${line!.id}:${condition}` });
  }
  async function payCharge() {
    const page = await guest.post(path, { intent: "pay" });
    await comeBack(placed, await payOnPage(page.headers.get("Location") ?? ""));
    // No answer is taken while it is being captured.
    await expect
      .poll(() => query("SELECT FROM payments WHERE order_id = $1 AND state <> 'captured'", [placed.orderId]))
      .toEqual([]);
  }
  return { ...placed, returnId, manager, path, headline, act, inspect, payCharge };
}

const saying = (words: string): string => expect.stringContaining(words) as string;

it("the fee of a repair is paid, its price refused, and the fee refunded by staff", async () => {
  const { act, inspect, payCharge, headline, guest, path, manager, orderId, returnId } = await returned({
    kind: "repair",
    reason: "accident",
  });
  const isAsked = [saying("emailed a link to pay the fee"), "Please pay the diagnostic fee"];
  expect(await act("fee")).toEqual(isAsked);
  await payCharge();
  await expect.poll(headline).toBe("We’ve got your request");
  expect(await act("authorize")).toEqual([saying("Authorized."), saying("Send it by ")]);
  expect(await inspect("damaged")).toEqual([saying("Inspected."), "We’ve checked it"]);
  expect(await act("quote", { amount: "60" })).toEqual([
    saying("Sent. The customer answers on their return’s page."),
    "The repair costs $60.00",
  ]);
  expect((await guest.post(path, { intent: "refuse" })).headers.get("Location")).toBe(path);
  expect(await headline()).toBe("Your product ships soon");
  const fee = `fee-${returnId}`;
  const order = async () => (await manager.fetch(`/admin/orders/${orderId}`)).text();
  expect(await order()).toContain(`value="${fee}"`);
  const refund = { reason: "goodwill", refundsSeen: "0", services: fee, total: "3500", amount: "" };
  const refunded = await manager.post(`/admin/orders/${orderId}?intent=refund`, refund);
  expect(textOf(await refunded.text())).toContain("$35.00");
  await expectBooksToAgree();
  expect(await order()).not.toContain(`value="${fee}"`);
});

it("an exchange for something dearer ships once the difference is paid", async () => {
  const { act, inspect, payCharge, headline, orderId, email } = await returned({
    kind: "exchange",
    reason: "other-model",
    wanted: "polara-pro-earth-green",
  });
  const { links } = await emailTo(shop.url, email, "was delivered");
  const reader = new Visitor("");
  let link = links.find((one) => one.endsWith("&intent=return")) ?? "";
  for (let hops = 0; hops < 2; hops++)
    link = (await reader.fetch(new URL(link, shop.url).href)).headers.get("Location") ?? "";
  expect(link).toBe(`/orders/${orderId}/return`);
  expect(await inspect("new")).toEqual([saying("Inspected."), "We’ve checked it"]);
  expect(await act("resolve", { outcome: "replacement" })).toEqual([saying("Resolved."), "Please pay $10.00"]);
  await payCharge();
  await expect.poll(headline).toBe("Your replacement ships soon");
  await expectBooksToAgree();
});
