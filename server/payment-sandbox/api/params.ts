/** The kinds of parameters, and how a wrong one is refused in Stripe's words. */
import { z } from "zod";
import { invalidRequest, type Refusal } from "../refusal.ts";
import type { Params } from "./form.ts";

/** Parameters of a call that the SDK knows by these names too; others do not compile. */
export type Known<Params> = { [Name in keyof Params]?: z.ZodType };

const custom = (code: string, message: string) => ({ params: { code }, message });

export const integer = ({ min, max = 99_999_999 }: { min: number; max?: number }) =>
  z
    .string()
    .refine((text) => /^-?\d{1,15}$/.test(text), custom("parameter_invalid_integer", "Invalid integer"))
    .transform(Number)
    .refine(
      (value) => value >= min,
      custom("parameter_invalid_integer", `This value must be greater than or equal to ${min}.`),
    )
    .refine(
      (value) => value <= max,
      custom("parameter_invalid_integer", `This value must be less than or equal to ${max}.`),
    );

export const boolean = z
  .string()
  .refine((text) => text === "true" || text === "false", { message: "Invalid boolean" })
  .transform((text) => text === "true");

export const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max, { message: `Invalid string: it must be at most ${max} characters` });

const isWebAddress = (address: string) => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);

export const address = z.string().min(1).max(5_000).refine(isWebAddress, custom("url_invalid", "Not a valid URL"));

const MAX_KEYS = 50;

/** An empty value unsets a key, so a new object goes without it. */
export const metadata = z
  .record(z.string().max(40), z.string().max(500, { message: "Metadata values can have up to 500 characters" }))
  .refine((pairs) => Object.keys(pairs).length <= MAX_KEYS, { message: `You can have up to ${MAX_KEYS} metadata keys` })
  .transform((pairs) => Object.fromEntries(Object.entries(pairs).filter(([, value]) => value !== "")));

export const expand = z.array(text(200)).max(20).optional();

/** For a call that takes nothing else. */
export const onlyExpand = z.strictObject({ expand });

const seconds = integer({ min: 0, max: 10_000_000_000 });
const created = z
  .union([z.strictObject({ gt: seconds, gte: seconds, lt: seconds, lte: seconds }).partial(), seconds])
  .transform((asked) => (typeof asked === "number" ? { gte: asked, lte: asked } : asked))
  .optional();

/** What every list takes. */
export const page = {
  created,
  ending_before: text(100).optional(),
  expand,
  limit: integer({ min: 1, max: 100 }).default(10),
  starting_after: text(100).optional(),
};

const nameOf = (path: PropertyKey[]) =>
  path.map((part, depth) => (depth === 0 ? String(part) : `[${String(part)}]`)).join("");

function refusalOf(issue: z.core.$ZodIssue): Refusal {
  const param = nameOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    const unknown = nameOf([...issue.path, issue.keys[0] ?? ""]);
    return invalidRequest(`Received unknown parameter: ${unknown}`, { code: "parameter_unknown", param: unknown });
  }
  if (issue.code === "invalid_type" && issue.input === undefined) {
    return invalidRequest(`Missing required param: ${param}.`, { code: "parameter_missing", param });
  }
  if (issue.code === "too_small" && issue.origin === "string") {
    return invalidRequest(
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
      { code: "parameter_invalid_empty", param },
    );
  }
  if (issue.code === "invalid_union") {
    const [nested] = issue.errors.flat();
    if (nested) return refusalOf({ ...nested, path: [...issue.path, ...nested.path] });
  }
  const code: unknown = issue.code === "custom" ? issue.params?.code : undefined;
  return invalidRequest(issue.message, { param, ...(typeof code === "string" && { code }) });
}

/** What the parameters of a call say; refuses the first thing that is wrong with them, unknown ones before all. */
export function check<Schema extends z.ZodType>(schema: Schema, params: Params): z.output<Schema> {
  const checked = schema.safeParse(params, { reportInput: true });
  if (checked.success) return checked.data;
  const { issues } = checked.error;
  const first = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  throw first ? refusalOf(first) : invalidRequest("Invalid request.");
}
