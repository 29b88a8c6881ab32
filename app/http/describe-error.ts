/** What the log says of an error: all that helps to find its cause, and nothing that somebody typed. */

const MAX_CAUSES = 5;
const MAX_FRAMES = 12;
const WORD = /[^\s"'<>(),;:/]+/g;
const AT = /@|%(?:25)*40/i;

export type ErrorDescription = {
  name: string;
  message?: string;
  /** SQLSTATE, or the code of the system, of SMTP or of a library. */
  code?: string | number;
  /** The statement with its placeholders. */
  sql?: string;
  /** The table, column or constraint that PostgreSQL names. */
  table?: string;
  column?: string;
  constraint?: string;
  stack?: string[];
  causes?: ErrorDescription[];
};

/** A text for the log, with emails in it masked. */
export const maskEmails = (text: string): string => text.replace(WORD, (word) => (AT.test(word) ? "[email]" : word));

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

/** The message up to its first quotation mark: parsers, PostgreSQL's too, quote there what they were given. */
function withoutValues(message: string): string {
  return maskEmails((message.split(/\nparams: |\n|"/, 1)[0] ?? "").slice(0, 200)).trim();
}

/** The frames of the shop's own code; whatever the message holds is cut off first. */
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

/** Describes an error and what caused it. Parameters of statements, PostgreSQL's details and quoted values are left out. */
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
