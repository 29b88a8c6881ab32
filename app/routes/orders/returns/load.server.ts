/** Loads the returns of an order as its customer may see them. */
import { data, type RouterContextProvider } from "react-router";
import { listOrderEvents } from "#shop/orders/orders.server.ts";
import { listReturnsOfOrder } from "#shop/returns/returns.server.ts";
import { findOrderFor, type OrderAccess } from "#app/session/order-access.server.ts";
import { db } from "#platform/database.server.ts";
import { notShown } from "../load.server.ts";
import { viewOf } from "./return-view.ts";

/** The return of an order with a number, or null. */
export const findReturnOf = async ({ order }: OrderAccess, number: string | undefined) =>
  (await listReturnsOfOrder(db, order.id)).find((orderReturn) => orderReturn.number === number) ?? null;

/** Loads a return for who may see its order; the same 404 for everybody else. */
export async function loadReturn(
  request: Request,
  params: { orderId?: string; number?: string },
  context: Readonly<RouterContextProvider>,
) {
  const access = await findOrderFor(request, params.orderId);
  const orderReturn = access && (await findReturnOf(access, params.number));
  if (!orderReturn) return notShown(context);
  const events = await listOrderEvents(db, access.order.id);
  return data({ order: { id: access.order.id }, wait: null, orderReturn: viewOf(orderReturn, events) });
}
