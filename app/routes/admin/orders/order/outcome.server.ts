/** What came of an act on an order, with what others have done since the page was shown. */
import type { RouterContextProvider } from "react-router";
import { db } from "../../../../database.server.ts";
import { openOrder, type DeskOrder } from "../../../../../shop/fulfillment/desk.server.ts";
import { staffOf } from "../../../../session/staff.server.ts";
import { done, refused, type Act } from "../../act.server.ts";
import { namesOfStaff } from "./load.server.ts";
import { refusalWords } from "./refusals.ts";
import { meanwhileOf } from "./timeline.ts";

export type OrderAct = { act: Act; context: Readonly<RouterContextProvider>; order: DeskOrder; id: string };
type Words = Parameters<typeof refusalWords>;
type Result = { ok: true; repeated?: boolean } | ({ ok: false } & Words[0]);

/** One field is not right. */
export const field = (act: Act, name: string, message: string) =>
  refused(act, "Please check what is marked.", { status: 400, errors: { [name]: message } });

export async function outcome({ act, context, id }: OrderAct, result: Result, message: string, parcel?: Words[1]) {
  if (result.ok && !result.repeated) return done(act, message);
  const [now, names] = await Promise.all([openOrder(db, id), namesOfStaff()]);
  const seen = Number(act.form.get("seen")) || Infinity;
  const meanwhile = now ? meanwhileOf(now, names, seen, staffOf(context).staffId) : "";
  const said = (sentence: string) => [sentence, meanwhile].filter(Boolean).join(" ");
  return result.ok ? done(act, said("It was so before.")) : refused(act, said(refusalWords(result, parcel)));
}
