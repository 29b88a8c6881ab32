/** Opens a return, exchange or claim for a customer, with the same rules and emails as on the order's page. */
import { redirect } from "react-router";
import { z } from "#shop/zod.ts";
import { RETURN_KINDS, type ReturnKind } from "#shop/returns/lifecycle.ts";
import { requestReturn, type RequestResult } from "#shop/returns/request.server.ts";
import { MAX_DESCRIPTION, RETURN_REASONS, type ReturnReason } from "#shop/returns/return.ts";
import { taxProvider } from "#shop/tax/open-tax.server.ts";
import { message } from "#shop/text.ts";
import { db } from "#platform/database.server.ts";
import { refused } from "#app/http/form.server.ts";
import { fieldError } from "../../action.server.ts";
import { onOrder, type OrderAction, unitsIn, WRONG_UNITS } from "./on-order.server.ts";

const shape = {
  formKey: z.uuid(),
  claim: z.string().min(1, "Choose the type and reason"),
  exchange: z.string().default(""),
  description: message("Description", MAX_DESCRIPTION, "").or(z.literal("")).default(""),
};

type Refusal = Exclude<Extract<RequestResult, { ok: false }>["reason"], "line">;

const REFUSALS: Record<Refusal, [field: string, words: string]> = {
  "not-found": ["", "This order no longer exists."],
  "nothing-chosen": ["units", "Choose at least one item"],
  "one-line": ["units", "Exchange one item at a time"],
  reason: ["claim", "Choose a type and reason"],
  "sold-out": ["exchange", "Choose a product that is in stock and not the same"],
  "price-changed": ["exchange", "Its price has changed. Check it, then open the return again"],
  "tax-unknown": ["", "The tax provider is not responding. Try again in a minute."],
  "too-many": ["", "This order has too many returns to open another one."],
};

/** The wanted product with the price on the page; requestReturn refuses another one. */
function exchangeOf({ value, order }: OrderAction<z.output<z.ZodObject<typeof shape>>>, units: Record<string, number>) {
  const line = order.lines.find(({ id }) => (units[id] ?? 0) > 0);
  const [productId = "", price] = value.exchange.split(":");
  return line && { productId, priceCents: Number(price) };
}

export const openReturn = onOrder(shape, async (action) => {
  const { formKey, claim, description } = action.value;
  const units = unitsIn(action);
  if (!units) return fieldError(action, "units", WRONG_UNITS);
  const [kind, reason] = claim.split(":") as [ReturnKind, ReturnReason];
  if (!RETURN_KINDS.includes(kind) || !Object.hasOwn(RETURN_REASONS, reason))
    return fieldError(action, "claim", "Choose a type and reason");
  if (kind === "exchange" && action.value.exchange === "") return fieldError(action, "exchange", "Choose a product");
  const exchange = kind === "exchange" ? exchangeOf(action, units) : null;
  const form = { formKey, kind, reason, description, units, exchange: exchange ?? null };
  const opened = await requestReturn(db, taxProvider(), action.id, form, action.by);
  if (opened.ok) return redirect(`/admin/returns/${opened.returnId}`, 303);
  if (opened.reason === "line") return fieldError(action, "units", `${opened.name}: ${opened.why}`);
  const [field, words] = REFUSALS[opened.reason];
  return field ? fieldError(action, field, words) : refused(action, words);
});
