/** Money goes back: by lines or by an amount, within what the role may give, and by somebody who is there above a sum. */
import { db } from "../../../../database.server.ts";
import { refundedBy, refundOrder } from "../../../../../shop/fulfillment/fulfill.server.ts";
import { isReason, REFUND_REASONS } from "../../../../../shop/fulfillment/reasons.ts";
import { formatMoney } from "../../../../../shop/money.ts";
import { paymentProvider } from "../../../../../shop/payments/open-provider.server.ts";
import { FRESH_REFUND_CENTS, REFUND_LIMIT_CENTS, refundLeftCents } from "../../../../../shop/staff/permissions.ts";
import { actingOf, requireFreshStaff } from "../../../../session/staff.server.ts";
import { done, refused, unproved } from "../../act.server.ts";
import { field, outcome, type OrderAct } from "./outcome.server.ts";

type Read = { cents: number } | { problem: string };

/** What the form comes to: an amount in dollars, or units of lines with or without the shipping. */
function readAmount({ act: { form }, order }: OrderAct): Read {
  const typed = (form.get("amount") ?? "").trim().replace(/^\$/, "").replaceAll(",", "");
  const lines = form.getAll("units").map((text) => {
    const [id, units] = text.split(":");
    const line = order.lines.find((each) => each.id === id);
    return line ? line.priceCents * Math.min(Number(units) || 0, line.quantity) : 0;
  });
  const shipping = form.has("shipping") ? order.charged.shippingCents : 0;
  const cents = lines.reduce((sum, each) => sum + each, 0) + shipping;
  if (typed === "") return cents > 0 ? { cents } : { problem: "Type an amount, or choose what is refunded above" };
  if (cents > 0) return { problem: "Choose lines or type an amount, not both" };
  if (!/^\d{1,6}(\.\d{1,2})?$/.test(typed)) return { problem: "Type dollars, as 24 or 24.50" };
  return { cents: Math.round(Number(typed) * 100) };
}

export async function refund(given: OrderAct) {
  const { act, context, id } = given;
  const amount = readAmount(given);
  if ("problem" in amount) return field(act, "amount", amount.problem);
  const { cents } = amount;
  const reason = act.form.get("reason") ?? undefined;
  if (!isReason(REFUND_REASONS, reason)) return field(act, "reason", "Choose a reason");
  const by = actingOf(context);
  const before = await refundedBy(db, id, by.staffId);
  const left = refundLeftCents(by.role, before);
  if (left !== null && cents > left) {
    const limit = formatMoney(REFUND_LIMIT_CENTS[by.role] ?? 0);
    const already = before > 0 ? `, and you gave back ${formatMoney(before)}` : "";
    const message = `Your role gives back at most ${limit} of one order a day${already}. Ask a manager or an owner to refund ${formatMoney(cents)}.`;
    return refused(act, message, { status: 403 });
  }
  if (before + cents > FRESH_REFUND_CENTS) {
    const problem = await requireFreshStaff(context, act.form.get("code"));
    if (problem) return unproved(act, problem);
  }
  const seen = Number(act.form.get("refundsSeen") ?? Number.NaN);
  const asked = { cents, reason, ...(Number.isInteger(seen) && { seen }) };
  const result = await refundOrder(db, paymentProvider(), id, asked, by);
  if (!result.ok) return outcome(given, result, "");
  if (result.state === "failed") return refused(act, "The provider refused the refund. Nothing was given back.");
  return done(
    act,
    result.state === "done"
      ? `${formatMoney(cents)} is refunded, and the customer is told.`
      : `The refund of ${formatMoney(cents)} is under way. The customer is told once it is done.`,
  );
}
