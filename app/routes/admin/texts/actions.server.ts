/** Saving, publishing and withdrawing a text. */
import { counted } from "#shop/units.ts";
import { redirectDocument, type ActionFunctionArgs } from "react-router";
import { z } from "#shop/zod.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { reworded } from "#shop/mail/reworded.server.tsx";
import { announcement, announceToEveryone, countEveryone } from "#shop/privacy/notices.server.ts";
import { noticeEmail } from "#shop/privacy/privacy-emails.server.ts";
import { message } from "#shop/text.ts";
import { getVersion, listVersions, publication, saveText, type Saved } from "#shop/content/edit-text.server.ts";
import { publishedText } from "#shop/content/published.server.ts";
import { type EditableText, textProblems } from "#shop/content/text-form.server.ts";
import { escapeMarkdown } from "#shop/content/text-forms.ts";
import { fillWords, withWords } from "#shop/content/text-words.ts";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { done, readForm, readUpload, refused } from "#app/http/form.server.ts";
import { FORM_ID } from "#app/ui/form/action-result.ts";
import { momentWords, whenWords } from "#app/ui/admin/when.tsx";
import { actionOf, actions, fieldError, handle, type Action } from "../action.server.ts";
import { notFound } from "../guard.server.ts";
import { sayingLost, storeUploads } from "../products/product-form.server.ts";
import { newestPublished, pageOf, placeholdersOf, requireText, stateOf } from "./state.server.ts";
import { fieldNames, MAX_CHARACTERS, typedText } from "./typed.server.ts";

const LOST = "The picture was not saved. Select it again.";

async function readText(args: ActionFunctionArgs, text: EditableText) {
  const names = fieldNames(text);
  if (text.group !== "Posts") return { form: await readForm(args.request, names, [], MAX_CHARACTERS), files: [] };
  return readUpload(args.request, {
    names: [FORM_ID, ...names],
    maxCharacters: MAX_CHARACTERS,
    fileField: "pictures",
    maxFiles: 1,
  });
}

/** Stores a picture for the text. The text itself is saved by its own form. */
export async function addPicture(args: ActionFunctionArgs, intent: string) {
  const { form, files } = await readUpload(args.request, {
    names: [FORM_ID, "alt"],
    fileField: "pictures",
    maxFiles: 1,
  });
  const action = sayingLost(actionOf(args, intent, form), args.request, files, LOST);
  const alt = escapeMarkdown(form.get("alt")?.trim() ?? "");
  const errors = {
    ...(files.length === 0 && { pictures: "Choose a picture" }),
    ...(alt === "" && { alt: "Say what the picture shows" }),
  };
  if (Object.keys(errors).length > 0) return refused(action, "", { status: 400, errors });
  const stored = await storeUploads({ files });
  if ("problem" in stored) return fieldError(action, "pictures", stored.problem);
  const [name = ""] = stored.names;
  return done(action, `Uploaded. ![${alt}](${name}) shows it.`, { data: { name, alt }, clears: true });
}

const changed = (action: Action, result: Extract<Saved, { reason: "changed" }>) =>
  refused(
    action,
    `${result.by ?? "Someone"} saved version ${result.version} ${whenWords(result.at, clock.now())}. Your text is still here. Read theirs below, then save again.`,
    { data: { over: result.version } },
  );

const isSame = async (key: string, version: number, markdown: string, fields: Record<string, string>) => {
  const newest = await getVersion(db, key, version);
  return (
    newest?.markdown === markdown &&
    JSON.stringify(Object.entries(newest.fields).toSorted()) === JSON.stringify(Object.entries(fields).toSorted())
  );
};

async function save(args: ActionFunctionArgs, intent: string) {
  const text = requireText(args.params.key);
  const { form, files } = await readText(args, text);
  const action = sayingLost(actionOf(args, intent, form), args.request, files, LOST);
  const { key } = text;
  const isPublishing = form.get("do") === "publish";
  const isDraft = form.get("do") === "draft";
  const version = Number(form.get("isOver") === "on" ? form.get("over") : form.get("version")) || 0;
  const when = whenOf(text, form);
  if (!when) {
    const name = text.group === "Legal texts" ? "effectiveOn" : "publishAt";
    return fieldError(action, name, "This time is past, or there is no such time in New York");
  }
  const { fields, markdown } = typedText(text, form, when.publishAt);
  if (files[0]) fields.picture = files[0].file.name || "upload";
  const problems = withWords(placeholdersOf(key), () =>
    textProblems({ key, fields, markdown, publishAt: when.publishAt, isDraft }),
  );
  if (!isDraft && text.markdown !== null && text.group !== "Emails" && markdown === "")
    problems.markdown ??= "The text is empty";
  if (problems.picture) {
    // The name of the picture is a hidden field, which cannot be focused.
    delete problems.picture;
    problems.pictures = "A post needs a picture";
  }
  if (Object.keys(problems).length > 0) {
    return refused(action, "", { status: 400, errors: problems });
  }
  // Last, because it takes seconds.
  const stored = files.length > 0 ? await storeUploads({ files }) : { names: [] };
  if ("problem" in stored) return fieldError(action, "pictures", stored.problem);
  const [picture] = stored.names;
  if (picture) fields.picture = picture;
  const planned = (await listVersions(db, key)).find((row) => stateOf(row, null) === "scheduled");
  const replaces = form.get("replaces") === "on" ? Number(form.get("planned")) || 0 : 0;
  const isKnown = !isPublishing && (await isSame(key, version, markdown, fields));
  const result: Saved = isKnown
    ? { ok: true, version }
    : await saveText(db, action.by, { key, version, markdown, fields, replaces, ...when });
  if (!result.ok && result.reason === "changed") return changed(action, result);
  if (!result.ok) {
    return fieldError(action, "effectiveOn", "A version has been in force since that day. Choose a later one.", 409);
  }
  if (form.get("do") === "preview") return redirectDocument(await previewPath(text, result.version));
  if (when.publishAt === null) {
    if (isKnown && planned?.version === version)
      return done(action, `Version ${version} is the same, and stays scheduled.`);
    const stays = planned ? ` Version ${planned.version} stays scheduled.` : "";
    return done(action, `Saved as a draft, version ${result.version}.${stays}`);
  }
  if (when.publishAt > clock.now()) {
    return done(action, `Scheduled: shown ${momentWords(when.publishAt, clock.now())}.`);
  }
  return done(action, "Published.", { data: { isPublished: true } });
}

const previewPath = async (text: EditableText, version: number): Promise<string> =>
  text.group === "Emails"
    ? `/admin/texts/${text.key}?from=${version}`
    : `${await pageOf(text)}?preview=${text.key}.${version}`;

/** Time from which the form publishes; of a legal text a day, by default today. */
function whenOf({ group }: EditableText, form: URLSearchParams) {
  if (form.get("do") !== "publish") return { publishAt: null, effectiveOn: null };
  if (group !== "Legal texts") return publication({ at: form.get("publishAt") ?? "", effectiveOn: null });
  return publication({ at: "", effectiveOn: form.get("effectiveOn") || newYorkDay(clock.now()) });
}

const announceSchema = z.object({
  version: z.coerce.number().int().min(1),
  do: z.enum(["preview", "send"]),
  summary: message("What changes", 2_000, "Say what changes, in plain words"),
});

/** The preview says to how many people the email would go. */
async function announce(text: EditableText, action: Action<z.output<typeof announceSchema>>) {
  const { version, summary } = action.value;
  const { fields, publishAt, effectiveOn } = (await getVersion(db, text.key, version)) ?? {};
  if (!publishAt || !effectiveOn) throw notFound();
  if (newestPublished(await listVersions(db, text.key))?.version !== version)
    return refused(action, "A newer version was published in the meantime. Announce that one instead.");
  const title = fillWords(fields?.title ?? text.fields.title ?? "");
  const link = `${config().baseUrl}${text.path}/${effectiveOn}`;
  const notice = announcement({ key: text.key, version, title, effectiveOn, summary, link });
  if (action.value.do === "preview") {
    const { subject, html } = reworded("notice", noticeEmail({ ...notice, to: "" }, config()), config());
    return done(action, undefined, { data: { subject, html, summary, recipients: await countEveryone(db) } });
  }
  const result = await announceToEveryone(db, action.by, notice);
  return result.ok
    ? done(action, `The worker emails ${counted(result.recipients, "customer")} from now on.`)
    : refused(action, "This version was announced in the meantime, in other words.");
}

export const action = actions({
  save,
  picture: addPicture,
  announce: async (args, intent) => {
    const text = requireText(args.params.key);
    return handle(announceSchema, (action) => announce(text, action))(args, intent);
  },
  withdraw: async (args, intent) => {
    const text = requireText(args.params.key);
    if (text.group === "Legal texts") throw notFound();
    return handle(
      z.object({ version: z.coerce.number().int().min(1), sure: z.literal("on", "Check this first") }),
      async (action) => {
        const { version } = action.value;
        const isUnseen = publishedText(text.key) === null;
        const result = await saveText(db, action.by, {
          key: text.key,
          version,
          markdown: null,
          // A text without an original stays in the list by its title.
          fields: text.hasOriginal ? {} : ((await getVersion(db, text.key, version))?.fields ?? {}),
          publishAt: clock.now(),
        });
        if (result.ok && isUnseen) return done(action, "The schedule is canceled.");
        if (result.ok) return done(action, text.hasOriginal ? "The original is shown again." : "Taken down.");
        return refused(action, "This text was changed in the meantime. Read the newest version, then try again.");
      },
    )(args, intent);
  },
});
