/** What every action of the back office begins and ends with. */
import { data } from "react-router";
import type { z } from "zod";
import { NO_STORE } from "../../http/cache-headers.ts";
import { fieldErrors } from "../../http/field-errors.ts";
import { readForm } from "../../http/form.server.ts";
import { CODE_FIELD } from "../../session/staff.server.ts";
import type { ActResult, ActRow } from "../../ui/admin/act-result.ts";

/** Which act is asked for: the middleware has let it through. */
export const actOf = (request: Request): string => new URL(request.url).searchParams.get("act") ?? "";

export type Act = {
  name: string;
  /** Which row of a list. */
  key: string;
  form: URLSearchParams;
};

/** The act and its form, with `fields` and those of every form of the back office. */
export async function readAct(request: Request, fields: readonly string[], lists?: readonly string[]): Promise<Act> {
  const form = await readForm(request, ["key", CODE_FIELD, ...fields], lists);
  return { name: actOf(request), key: form.get("key") ?? "", form };
}

const answer = (result: ActResult, status: number) => data(result, { status, headers: NO_STORE });

/** It is done. */
export const done = ({ name, key }: Act, message: string, rows?: ActRow[]) =>
  answer({ act: name, key, ok: true, message, ...(rows && { rows }) }, 200);

/** Never sent back: what proves who is there. */
const typedIn = (form: URLSearchParams) =>
  Object.fromEntries([...form].filter(([field]) => field !== CODE_FIELD && field !== "password"));

/** It was not done, and nothing that was typed is lost. */
export const refused = (
  { name, key, form }: Act,
  message: string,
  { status = 409, errors, rows }: { status?: number; errors?: Partial<Record<string, string>>; rows?: ActRow[] } = {},
) =>
  answer(
    { act: name, key, ok: false, message, typed: typedIn(form), ...(errors && { errors }), ...(rows && { rows }) },
    status,
  );

/** Fields that are not right. */
export const invalid = (act: Act, error: z.ZodError) =>
  refused(act, "Please check what is marked.", { status: 400, errors: fieldErrors(error) });

/** The code that proves who is there is missing or wrong. */
export const unproved = (act: Act, message: string) =>
  refused(act, "", { status: 403, errors: { [CODE_FIELD]: message } });
