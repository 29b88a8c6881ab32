/** Actions of the back office by intent (`?intent=ship`), whose permission the guard has already checked. */
import type { ActionFunctionArgs, RouterContextProvider } from "react-router";
import { z } from "#shop/zod.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { readForm, refused } from "#app/http/form.server.ts";
import { actingOf, CODE_FIELD, requireFreshStaff } from "#app/session/staff.server.ts";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { notFound, requireId } from "./guard.server.ts";

export type Context = Readonly<RouterContextProvider>;

export type Action<Value = unknown> = Pick<ReturnType<typeof parseForm>, "payload" | "reply"> & {
  intent: string;
  form: URLSearchParams;
  /** Fields as the schema returns them. */
  value: Value;
  by: Acting;
  context: Context;
  /** Id in the path, or the key of a text; or empty. */
  id: string;
};

type Handler = (args: ActionFunctionArgs, intent: string) => Promise<unknown>;
type Options = {
  /** Requires a recent verification. */
  isSensitive?: boolean;
  /** Fields that may repeat. */
  lists?: string[];
  /** Limit of a field; 20,000 by default. */
  maxCharacters?: number;
};

type FormSchema = z.ZodObject | z.ZodPipe<z.ZodObject>;

const fieldsOf = (schema: FormSchema) => Object.keys("shape" in schema ? schema.shape : schema.in.shape);

/** Handles one intent: its form has the fields of the schema and no others. */
export function handle<Schema extends FormSchema>(
  schema: Schema,
  run: (action: Action<z.output<Schema>>) => Promise<unknown>,
  { isSensitive = false, lists = [], maxCharacters }: Options = {},
): Handler {
  const fields = fieldsOf(schema);
  // An error of such a field would open the dialog that asks for an authenticator code.
  if (fields.includes(CODE_FIELD))
    throw new Error(`A field of a form in the back office may not be named ${CODE_FIELD}.`);
  return async (args, intent) => {
    const form = await readForm(args.request, [CODE_FIELD, "seen", ...fields], lists, maxCharacters);
    const action = actionOf(args, intent, form);
    const read = schema.safeParse(Object.fromEntries(form));
    if (!read.success) return rejected(action, read.error);
    const problem = isSensitive && (await requireFreshStaff(args.context, form.get(CODE_FIELD)));
    if (problem) return unverified(action, problem);
    return run({ ...action, value: read.data as z.output<Schema> });
  };
}

export function actionOf({ context, params }: ActionFunctionArgs, intent: string, form: URLSearchParams): Action {
  const { payload, reply } = parseForm(form, z.object({}));
  const [id] = Object.values(params);
  return {
    intent,
    form,
    payload,
    reply,
    value: {},
    by: actingOf(context),
    context,
    id: params.key ?? (id ? requireId(id) : ""),
  };
}

/** The `action` of a route. */
export const actions = (handlers: Record<string, Handler>) => async (args: ActionFunctionArgs) => {
  const intent = new URL(args.request.url).searchParams.get("intent") ?? "";
  const handler = handlers[intent];
  if (!handler) throw notFound();
  return handler(args, intent);
};

export const rejected = (action: Action, { issues }: z.ZodError) => {
  const errors = Object.fromEntries(issues.toReversed().map(({ path, message }) => [String(path[0]), message]));
  return refused(action, "", { status: 400, errors });
};

export const fieldError = (action: Action, name: string, message: string, status = 400) =>
  refused(action, "", { status, errors: { [name]: message } });

export const unverified = (action: Action, message: string) => fieldError(action, CODE_FIELD, message, 403);

export const TOO_MANY_EMAILS = "Too many emails were sent to this address. Try again in 15 minutes.";
