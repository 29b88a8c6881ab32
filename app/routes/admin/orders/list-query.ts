/** What an address of the list asks for. What is no filter there is passed over. */
import type { OrderFilter } from "../../../../shop/fulfillment/order-list.server.ts";
import { isShopDay } from "../../../../shop/fulfillment/days.ts";
import { VIEW_NAMES } from "../../../../shop/fulfillment/views.ts";
import { ORDER_STATUSES, PAYMENT_STATUSES } from "../../../../shop/orders/lifecycle.ts";

const MAX_SEARCH_CHARACTERS = 100;

const known = <Value extends string>(values: readonly Value[], text: string | null) =>
  values.find((value) => value === text);

/** `product` is what was typed of a product, which only the catalog can read. */
export function readOrderQuery(query: URLSearchParams): OrderFilter & { product: string } {
  const day = (name: string) => {
    const text = query.get(name) ?? "";
    return isShopDay(text) ? text : undefined;
  };
  return {
    view: known(VIEW_NAMES, query.get("view")),
    status: known(ORDER_STATUSES, query.get("status")),
    payment: known(PAYMENT_STATUSES, query.get("payment")),
    since: day("since"),
    until: day("until"),
    search: query.get("q")?.slice(0, MAX_SEARCH_CHARACTERS),
    product: query.get("product")?.trim().slice(0, MAX_SEARCH_CHARACTERS) ?? "",
  };
}
