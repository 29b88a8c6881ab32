/** What a person has to look at is mailed to the staff, once each time it happens. */
import type { DatabaseOrTransaction } from "../../../db/connection.server.ts";
import { enqueueEmail } from "../../mail/enqueue-email.server.ts";
import { ORDER_STEP_PERMIT } from "../../mail/mail-budget.server.ts";
import type { Alert } from "./decide.ts";

export const tellStaff = (tx: DatabaseOrTransaction, orderId: string, about: Alert): Promise<void> =>
  enqueueEmail(tx, { template: "payment-alert", orderId, about }, ORDER_STEP_PERMIT);
