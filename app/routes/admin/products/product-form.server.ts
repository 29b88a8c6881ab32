/** Product forms: their choices, their schema, the price in words, and uploaded pictures. */
import type { ActionFunctionArgs } from "react-router";
import { storePictures, type PictureFile } from "#shop/catalog/pictures/picture-store.server.ts";
import { MAX_PICTURE_BYTES, MAX_PICTURES, productSchema } from "#shop/catalog/back-office/product-form.ts";
import { config } from "#platform/config.server.ts";
import { readUpload, wantsDocument, type Upload } from "#app/http/form.server.ts";
import { FORM_ID } from "#app/ui/form/action-result.ts";
import { CODE_FIELD } from "#app/session/staff.server.ts";
import { actionOf, type Action } from "../action.server.ts";
import { listAllColors } from "#shop/catalog/colors.server.ts";
import { CATEGORIES, priceOf } from "#shop/catalog/product.ts";
import { formatMoney } from "#shop/money.ts";
import { newYorkWords } from "#shop/new-york-time.ts";
import { db } from "#platform/database.server.ts";
import type { Choices } from "./product-fields.tsx";

export async function productChoices(colors = listAllColors(db)): Promise<Choices> {
  return { categories: [...CATEGORIES], colors: await colors };
}

export const currentSchema = async () => productSchema(await listAllColors(db));

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Formats "2 days and 3 hours". */
function timeLeft(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  const hours = Math.floor((ms % DAY_MS) / HOUR_MS);
  const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;
  return `${counted(days, "day")} and ${counted(hours, "hour")}`;
}

export function priceWords(product: Parameters<typeof priceOf>[0], now: Date): string {
  const { priceCents, compareAtCents, earlyBird } = priceOf(product, now);
  const struck = compareAtCents === null ? "" : ` (was ${formatMoney(compareAtCents)})`;
  const paid = `Shoppers pay ${formatMoney(priceCents)}${struck}`;
  if (!earlyBird) {
    const end = product.earlyBirdEndDate;
    return end ? `${paid}. The early-bird price ended on ${newYorkWords(end)} New York time.` : `${paid}.`;
  }
  const saves = earlyBird.savingCents > 0 ? `, “Save ${formatMoney(earlyBird.savingCents)}”` : "";
  const left = timeLeft(earlyBird.endsAt.getTime() - now.getTime());
  return `${paid}${saves}, with a countdown of ${left}, until ${newYorkWords(earlyBird.endsAt)} New York time. After that they pay ${formatMoney(earlyBird.regularCents)}.`;
}

type UploadAction = Action & Pick<Upload, "files">;

export async function readUploadAction(
  args: ActionFunctionArgs,
  intent: string,
  fields: readonly string[],
): Promise<UploadAction> {
  const { form, files } = await readUpload(args.request, {
    names: [CODE_FIELD, FORM_ID, ...fields],
    fileField: "pictures",
    maxFiles: MAX_PICTURES,
  });
  const action = actionOf(args, intent, form);
  return { ...sayingLost(action, args.request, files, "The pictures were not saved. Select them again."), files };
}

/** A refusal says at the field that the pictures are lost: a document comes back without files, a script keeps them. */
export function sayingLost(action: Action, request: Request, files: Upload["files"], words: string): Action {
  if (files.length === 0 || !wantsDocument(request)) return action;
  const reply: Action["reply"] = (options) =>
    action.reply({
      ...options,
      fieldErrors: { pictures: [words], ...(options && "fieldErrors" in options && options.fieldErrors) },
    });
  return { ...action, reply };
}

const MEGABYTE = 1024 * 1024;

/**
 * Encodes and stores uploaded pictures, before the transaction that names them, because a bucket may take its time. Files
 * that are never named harm nothing. Returns the problem of the first bad one.
 */
export async function storeUploads({
  files,
}: Pick<Upload, "files">): Promise<{ names: string[] } | { problem: string }> {
  const tooLarge = files.find(({ file }) => file.size > MAX_PICTURE_BYTES);
  if (tooLarge) {
    return { problem: `Picture ${tooLarge.slot + 1} is larger than ${MAX_PICTURE_BYTES / MEGABYTE} MB.` };
  }
  const { encodePicture } = await import("#shop/catalog/pictures/encode-picture.server.ts");
  const names: string[] = [];
  const encoded: PictureFile[][] = [];
  for (const { file, slot } of files) {
    const result = await encodePicture(file.bytes());
    if ("problem" in result) return { problem: `Picture ${slot + 1}: ${result.problem}` };
    encoded.push(result.files);
    names.push(result.name);
  }
  if (new Set(names).size < names.length) return { problem: "The same picture was selected twice." };
  for (const picture of encoded) await storePictures(config().pictures, picture);
  return { names };
}
