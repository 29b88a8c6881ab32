/** Saving, testing, scheduling, stopping and deleting a letter. */
import { redirect, type ActionFunctionArgs } from "react-router";
import { z } from "#shop/zod.ts";
import { writeAudit } from "#shop/audit/audit.server.ts";
import { clock } from "#shop/clock.ts";
import { newYorkMoment } from "#shop/new-york-time.ts";
import { linesIn } from "#shop/text.ts";
import { counted } from "#shop/units.ts";
import { letterSchema } from "#shop/letters/letter.ts";
import { letterProblem } from "#shop/letters/letter-emails.server.tsx";
import { removeLetter, saveLetter, scheduleLetter, stopLetter } from "#shop/letters/letters.server.ts";
import { enqueueEmail } from "#shop/mail/enqueue-email.server.ts";
import { db } from "#platform/database.server.ts";
import { done, refused } from "#app/http/form.server.ts";
import { consumeStaffMail, staffOf } from "#app/session/staff.server.ts";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { momentWords } from "#app/ui/admin/when.tsx";
import { actions, fieldError, handle, TOO_MANY_EMAILS, type Action } from "../action.server.ts";
import { addPicture } from "../texts/actions.server.ts";

type Typed = z.output<typeof saveSchema>;
/** More than a letter may have, so that its length is refused beside its field. */
const MAX_CHARACTERS = 65_536;
const saveSchema = letterSchema.extend({ over: z.string().optional(), isOver: z.literal("on").optional() });

/** Problems of a letter that is to be sent, by field. */
function problemsOf({ markdown, audience, productId, do: to }: Typed): Record<string, string> {
  const problem = letterProblem(markdown) ?? (to === "save" || markdown ? null : "The letter is empty");
  return {
    ...(problem && { markdown: problem }),
    ...(audience === "owners" && !productId && to === "send" && { productId: "Choose the product" }),
  };
}

const save = handle(
  saveSchema,
  async (action) => {
    const {
      sendAt: typed,
      over,
      isOver,
      do: to,
      ...draft
    } = { ...action.value, markdown: linesIn(action.value.markdown) };
    const errors = problemsOf({ ...action.value, markdown: draft.markdown });
    if (Object.keys(errors).length > 0) return refused(action, "", { status: 400, errors });
    const sendAt = typed ? newYorkMoment(typed) : null;
    const isPast = to === "send" && sendAt !== null && sendAt <= clock.now();
    if (typed && (!sendAt || isPast))
      return fieldError(action, "sendAt", "This time is past, or there is no such time in New York");
    const version = isOver ? Number(over) || draft.version : draft.version;
    const productId = draft.audience === "owners" ? draft.productId : null;
    const saved = await saveLetter(db, action.by, action.id, { ...draft, productId, sendAt, version });
    if (!saved.ok && saved.reason === "changed")
      return refused(action, "Someone saved this letter in the meantime. Your text is still here.", {
        data: { over: saved.version },
      });
    if (!saved.ok) return refused(action, "This letter is no draft anymore. Reload the page to see it.");
    const next = ofVersion(action, saved.version);
    if (to === "test") return test(next);
    if (to === "send") return send(next, sendAt ?? clock.now());
    return done(action, "Saved.");
  },
  { maxCharacters: MAX_CHARACTERS },
);

/** A refusal after saving is based on the saved version. */
function ofVersion(action: Action<Typed>, version: number): Action<Typed> {
  action.form.set("version", String(version));
  const { payload, reply } = parseForm(action.form, z.object({}));
  return { ...action, payload, reply };
}

async function test(action: Action<Typed>) {
  const { email } = staffOf(action.context);
  const { permit } = await consumeStaffMail(action.context, email);
  if (!permit) return refused(action, `Saved. ${TOO_MANY_EMAILS}`, { status: 429 });
  await db.transaction(async (tx) => {
    await enqueueEmail(tx, { template: "letter-test", letterId: action.id, email }, permit);
    await writeAudit(tx, action.by, { action: "letter.test", subject: `letter:${action.id}` });
  });
  return done(action, `Saved, and a test sent to ${email}.`);
}

async function send(action: Action<Typed>, when: Date) {
  const people = await scheduleLetter(db, action.by, action.id, when);
  if (people === null) return fieldError(action, "audience", "Saved, but no one is on this list yet", 409);
  const moment = when > clock.now() ? momentWords(when, clock.now()) : "within a minute";
  const hours = counted(Math.ceil(people / action.value.pace), "hour");
  const message = `For ${counted(people, "person", "people")}. Begins ${moment} and takes about ${hours} at most.`;
  return done(action, message, { data: { isScheduled: true } });
}

export const action = actions({
  save,
  picture: (args: ActionFunctionArgs, intent: string) => addPicture(args, intent),
  stop: handle(z.object({}), async (action) => {
    const isStopped = await stopLetter(db, action.by, action.id);
    if (!isStopped) return refused(action, "This letter is not on its way anymore. Reload the page to see it.");
    return done(action, "Stopped.");
  }),
  remove: handle(z.object({ sure: z.literal("on", "Check this first") }), async (action) => {
    const isRemoved = await removeLetter(db, action.by, action.id);
    if (!isRemoved) return refused(action, "Only a draft can be deleted.");
    return redirect("/admin/letters");
  }),
});
