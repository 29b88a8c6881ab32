/** Error descriptions for the log, without personal data. */

const MAX_CAUSES = 5;
const MAX_FRAMES = 12;
const WORD = /[^\s"'<>(),;:/]+/g;
const AT = /@|%(?:25)*40/i;

type ErrorDescription = {
  name: string;
  message?: string;
  /** SQLSTATE, or the code of the system, of SMTP or of a library. */
  code?: string | number;
  sql?: string;
  table?: string;
  column?: string;
  constraint?: string;
  stack?: string[];
  causes?: ErrorDescription[];
};

export const maskEmails = (text: string): string => text.replace(WORD, (word) => (AT.test(word) ? "[email]" : word));

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

/** The message up to its first quotation mark, after which parsers and PostgreSQL quote their input. */
function withoutValues(message: string): string {
  return maskEmails((message.split(/\nparams: |\n|"/, 1)[0] ?? "").slice(0, 200)).trim();
}

/** Stack frames of the shop's code, without the message. */
function ownFrames({ stack = "", message }: Error): string[] | undefined {
  const at = stack.indexOf(message);
  if (at === -1) return undefined;
  const root = `file://${process.cwd()}/`;
  const frames = stack
    .slice(at + message.length)
    .split("\n")
    .filter((line) => /^ {4}at /.test(line) && !/node_modules|\(?node:/.test(line))
    .map((line) => line.trim().replace(root, "").replace(`${process.cwd()}/`, ""));
  return frames.length > 0 ? frames.slice(0, MAX_FRAMES) : undefined;
}

/** Describes an error and its causes, without parameters, PostgreSQL's details or quoted values. */
export function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { name: error instanceof Response ? `Response ${error.status}` : typeof error };
  const known = error as Error & Record<"code" | "query" | "table" | "column" | "constraint", unknown>;
  const sql = text(known.query);
  const inner = [...(error instanceof AggregateError ? error.errors : []), ...(error.cause ? [error.cause] : [])];
  const causes = depth < MAX_CAUSES ? inner.slice(0, MAX_CAUSES).map((one) => describeError(one, depth + 1)) : [];
  const described: ErrorDescription = {
    name: error.name,
    message: sql ? "Failed query" : withoutValues(error.message),
    code: typeof known.code === "number" ? known.code : text(known.code),
    sql,
    table: text(known.table),
    column: text(known.column),
    constraint: text(known.constraint),
    stack: ownFrames(error),
    causes: causes.length > 0 ? causes : undefined,
  };
  return Object.fromEntries(Object.entries(described).filter(([, value]) => value !== undefined)) as ErrorDescription;
}
