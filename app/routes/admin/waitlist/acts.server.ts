/** Invites a batch from the waitlist, and keeps a product for it. */
import type { RouterContextProvider } from "react-router";
import { z } from "zod";
import { inviteBatch, MAX_BATCH } from "../../../../shop/waitlist/invitations.server.ts";
import { keepForWaitlist } from "../../../../shop/waitlist/waitlist-first.server.ts";
import { config } from "../../../config.server.ts";
import { db } from "../../../database.server.ts";
import { actingOf } from "../../../session/staff.server.ts";
import { done, invalid, readAct, refused, type Act } from "../act.server.ts";
import { readFilter } from "./filter.ts";

type Context = Readonly<RouterContextProvider>;

const NUMBER = `Type a number from 1 to ${MAX_BATCH.toLocaleString("en-US")}`;
const sizeSchema = z.object({
  size: z
    .string({ error: NUMBER })
    .regex(/^\d{1,4}$/, NUMBER)
    .transform(Number)
    .pipe(z.number().min(1, NUMBER).max(MAX_BATCH, NUMBER)),
});
const openSchema = z.object({
  slug: z.string({ error: "Choose a product" }).min(1, "Choose a product"),
  until: z.union([z.literal(""), z.iso.date("Choose a day")]).transform((day) => day || null),
});

async function invite(act: Act, context: Context) {
  const read = sizeSchema.safeParse(Object.fromEntries(act.form));
  if (!read.success) return invalid(act, read.error);
  const { utmSource, utmCampaign } = readFilter(act.form);
  const segment = { ...(utmSource !== undefined && { utmSource }), ...(utmCampaign !== undefined && { utmCampaign }) };
  const { batch, invited } = await inviteBatch(
    db,
    actingOf(context),
    { segment, size: read.data.size },
    config().secret,
  );
  if (invited === 0) return refused(act, "Nobody of them is left to invite: only verified places are, and each once.");
  return done(act, `Batch ${batch}: ${invited.toLocaleString("en-US")} invited. Their emails go out at 100 a minute.`);
}

async function open(act: Act, context: Context) {
  const read = openSchema.safeParse(Object.fromEntries(act.form));
  if (!read.success) return invalid(act, read.error);
  const { slug, until } = read.data;
  if (!(await keepForWaitlist(db, actingOf(context), slug, until))) {
    return refused(act, "Please check what is marked.", { errors: { slug: "There is no such product" } });
  }
  return done(act, until ? "Until then it is open to those who were invited only." : "It is open to everybody.");
}

export async function waitlistAct(request: Request, context: Context) {
  const act = await readAct(request, ["size", "source", "campaign", "slug", "until"]);
  return act.name === "open" ? open(act, context) : invite(act, context);
}
