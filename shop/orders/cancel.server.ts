import { inArray, type SQL } from "drizzle-orm";
import { statusesBefore } from "./lifecycle.ts";
import { orders } from "./order.tables.ts";

/** Condition for a WHERE: the order can still be canceled. */
export const isCancelable: SQL = inArray(orders.status, statusesBefore("canceled"));
