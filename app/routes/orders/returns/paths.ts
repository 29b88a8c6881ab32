import { orderPath } from "#shop/orders/order.ts";

export const requestPath = (orderId: string): string => `${orderPath(orderId)}/return`;
export const returnPath = (orderId: string, number: string): string => `${orderPath(orderId)}/returns/${number}`;
