/** Parsing of posted forms, and the results of actions. */
import type { Submission, SubmissionResult } from "@conform-to/react";
import { parseMultipartRequest, type MultipartPart } from "@remix-run/multipart-parser";
import { data } from "react-router";
import { type ActionResult, FORM_ID } from "#app/ui/form/action-result.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { repeatedEvent } from "#platform/log.server.ts";

const MAX_FIELDS = 60;
/** Fields in `lists`, besides: a row of a list each. */
const MAX_LISTED = 300;
const MAX_VALUE_CHARACTERS = 20_000;
/** In UTF-8, for a code unit of JavaScript. */
const MAX_BYTES_OF_CHARACTER = 3;
const URLENCODED = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const MULTIPART = /^multipart\/form-data\s*;/i;
/** Content types that the server reads. Each form then has one of them. */
export const isForm = (type: string) => URLENCODED.test(type) || MULTIPART.test(type);
export const NO_FORM = "This shop reads forms only as a browser sends them.";

function refuse(status: number, message: string): Response {
  repeatedEvent("form-of-no-page", { outcome: "refused", reason: message });
  return new Response(message, { status, headers: { "Content-Type": "text/plain; charset=utf-8", ...NO_STORE } });
}

function checkType(request: Request, expected: RegExp): void {
  const isExpected = expected.test(request.headers.get("Content-Type") ?? "");
  if (!isExpected) throw refuse(415, NO_FORM);
}

type FieldNames = { names: readonly string[]; lists?: readonly string[]; maxCharacters?: number | undefined };

function appendField(form: URLSearchParams, name: string, value: string, fields: FieldNames): void {
  const { names, lists = [], maxCharacters = MAX_VALUE_CHARACTERS } = fields;
  const isKnown = (names.includes(name) || name === FORM_ID) && !form.has(name);
  if (!isKnown && !lists.includes(name)) throw refuse(400, "This form has a field that does not belong to it.");
  if (value.length > maxCharacters) throw refuse(400, "A field of this form is too long.");
  form.append(name, value);
}

/**
 * Each of `names` may occur once, those in `lists` repeatedly. Throws a 415 Response for another encoding, and 400 for
 * unknown, repeated, too many or too long fields, without echoing them.
 */
export async function readForm(
  request: Request,
  names: readonly string[],
  lists: readonly string[] = [],
  maxCharacters?: number,
): Promise<URLSearchParams> {
  const form = new URLSearchParams();
  // A form with only a button has no body.
  if (!request.headers.has("Content-Type") && !request.body) return form;
  checkType(request, URLENCODED);
  const body = await request.text();
  const mostFields = MAX_FIELDS + (lists.length > 0 ? MAX_LISTED : 0);
  let fields = 1;
  for (let at = body.indexOf("&"); at !== -1; at = body.indexOf("&", at + 1)) {
    if (++fields > mostFields) throw refuse(400, "This form has too many fields.");
  }
  for (const [name, value] of new URLSearchParams(body))
    appendField(form, name, value, { names, lists, maxCharacters });
  return form;
}

/** A file of a form; `bytes()` makes a copy. */
export type UploadedFile = { name: string; size: number; bytes(): Uint8Array<ArrayBuffer> };
export type Upload = { form: URLSearchParams; files: { file: UploadedFile; slot: number }[] };

const fileOf = (part: MultipartPart): UploadedFile => ({
  name: part.filename ?? "",
  size: part.size,
  bytes: () => new Uint8Array(part.arrayBuffer),
});

/**
 * A multipart form with files in `fileField`. Throws like `readForm`, and for a misplaced file or too many. Parts are read
 * one by one, so that nothing is built of what follows one that is refused.
 */
export async function readUpload(
  request: Request,
  { fileField, maxFiles, ...fields }: FieldNames & { fileField: string; maxFiles: number },
): Promise<Upload> {
  checkType(request, MULTIPART);
  const form = new URLSearchParams();
  const files: Upload["files"] = [];
  let slot = 0;
  // The server limits the body, and with it a file.
  const limits = { maxParts: MAX_FIELDS + maxFiles, maxFileSize: Infinity, maxTotalSize: Infinity };
  try {
    for await (const part of parseMultipartRequest(request, limits)) {
      if (!part.isFile) {
        if (part.size > MAX_BYTES_OF_CHARACTER * (fields.maxCharacters ?? MAX_VALUE_CHARACTERS))
          throw refuse(400, "A field of this form is too long.");
        appendField(form, part.name ?? "", part.text, fields);
        continue;
      }
      if (part.name !== fileField) throw refuse(400, "This form has a file that does not belong to it.");
      const file = fileOf(part);
      // Browsers send an empty file for an empty file field.
      if (file.size > 0 || file.name !== "") files.push({ file, slot });
      slot++;
      if (files.length > maxFiles) throw refuse(400, `This form takes at most ${maxFiles} files.`);
    }
  } catch (error) {
    if (error instanceof Response) throw error;
    throw refuse(400, "This form didn’t arrive complete.");
  }
  return { form, files };
}

/** Secrets and ids are never echoed. */
const HIDDEN = ["password", "confirmPassword", "currentPassword", "code", "itemId"];

/** Conform's submission, or the bare fields without a schema. */
type Posted = Pick<Submission<unknown>, "payload" | "reply">;

type Answer<Data> = {
  title?: string;
  data?: Data;
  status?: number;
  headers?: HeadersInit;
  /** The form starts over with its default values. */
  clears?: boolean;
};
type Done<Data> = Answer<Data> & Pick<ActionResult, "toast">;
type Refused<Data> = Answer<Data> & { errors?: Partial<Record<string, string>> };

const CLEARED: SubmissionResult = { initialValue: null };

function answer<Data>(result: ActionResult<Data>, { payload }: Posted, status: number, more?: HeadersInit) {
  const headers = new Headers(more);
  headers.set("Cache-Control", NO_STORE["Cache-Control"]);
  const formId = payload[FORM_ID];
  return data({ ...result, ...(typeof formId === "string" && { formId }) }, { status, headers });
}

export function done<Data = undefined>(
  posted: Posted,
  message?: string,
  { title, data, status = 200, headers, clears = false, toast }: Done<Data> = {},
) {
  const submission: SubmissionResult = clears ? CLEARED : { status: "success" };
  return answer({ ok: true, title, message, toast, data, submission }, posted, status, headers);
}

export function refused<Data = undefined>(
  posted: Posted,
  message: string,
  { title, data, status = 409, headers, errors, clears = false }: Refused<Data> = {},
) {
  const entries = Object.entries(errors ?? {}).flatMap(([name, error]) => (error ? [[name, [error]]] : []));
  const fieldErrors = entries.length > 0 ? { fieldErrors: Object.fromEntries(entries) } : {};
  const submission = clears ? CLEARED : posted.reply({ hideFields: HIDDEN, ...fieldErrors });
  return answer({ ok: false, title, message, data, submission }, posted, status, headers);
}

/** A refusal of what only customers may do. */
export const refusedSignedOut = (posted: Posted, message: string) =>
  answer({ ok: false, title: "Error", message, isSignedOut: true, submission: posted.reply() }, posted, 401);

export const invalid = (posted: Posted) => refused(posted, "A few fields need fixing.", { status: 400 });

/** A failure; the form shows its own message. */
export const failed = (posted: Posted, headers?: HeadersInit) =>
  answer({ ok: false, submission: posted.reply({ hideFields: HIDDEN }) }, posted, 503, headers);

/** Plain form posts are answered with a page. */
export const wantsDocument = (request: Request) => request.headers.get("Accept")?.includes("text/html") ?? false;
