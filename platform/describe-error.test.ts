import { DrizzleQueryError } from "drizzle-orm/errors";
import { describe, expect, it } from "vitest";
import { describeError, maskEmails } from "./describe-error.ts";

const TELLTALE = "telltale";
const databaseError = (message: string, more: Record<string, unknown>) =>
  Object.assign(new Error(message), { name: "error", severity: "ERROR", ...more });

const errors: [what: string, error: unknown][] = [
  [
    "a statement that failed",
    new DrizzleQueryError("INSERT INTO orders (email) VALUES ($1)", [`${TELLTALE}@example.com`], new Error("gone")),
  ],
  [
    "a value that PostgreSQL could not read",
    databaseError(`invalid input syntax for type uuid: "a" ${TELLTALE} "b"`, { code: "22P02" }),
  ],
  [
    "a constraint",
    databaseError('duplicate key value violates unique constraint "users_email"', {
      code: "23505",
      detail: `Key (email)=(${TELLTALE}@example.com) already exists.`,
      where: `unnamed portal parameter $1 = '${TELLTALE}'`,
      hint: TELLTALE,
      internalQuery: TELLTALE,
      constraint: "users_email",
    }),
  ],
  ["text that is no JSON", thrownBy(() => JSON.parse(`${TELLTALE} is no JSON`))],
  ["an address that is none", thrownBy(() => new URL(`http://${TELLTALE}:x`))],
  ["a refused recipient", Object.assign(new Error(`550 <${TELLTALE}@example.com> unknown`), { code: "EENVELOPE" })],
  ["a recipient in percent-encoding", new Error(`no mailbox ${TELLTALE}%2540example.com`)],
  ["a line that looks like a stack", new Error(`one\n    at ${TELLTALE} (file:///x.ts:1:1)`)],
  ["a cause within a cause", new Error("a", { cause: new Error("b", { cause: `${TELLTALE} in a string` }) })],
  ["several at once", new AggregateError([new Error(`"${TELLTALE}"`), `${TELLTALE}`], "all failed")],
  ["words that were thrown", `${TELLTALE}`],
  ["an object that was thrown", { params: [TELLTALE], message: TELLTALE }],
];

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

describe("a logged error", () => {
  it.each(errors)("has nothing typed: %s", (_what, error) => {
    expect(JSON.stringify(describeError(error))).not.toContain(TELLTALE);
  });

  it("has the statement, the code, PostgreSQL's names, the cause and the origin", () => {
    const cause = databaseError('relation "orders" does not exist', { code: "42P01", table: "orders" });
    const described = describeError(new DrizzleQueryError("SELECT * FROM orders WHERE id = $1", ["x"], cause));
    expect(described).toMatchObject({
      message: "Failed query",
      sql: "SELECT * FROM orders WHERE id = $1",
      causes: [{ name: "error", message: "relation", code: "42P01", table: "orders" }],
    });
    expect(described.stack?.[0]).toContain("platform/describe-error.test.ts");
  });

  it("ends at circular causes", () => {
    const error = new Error("round");
    error.cause = error;
    expect(JSON.stringify(describeError(error))).toContain("round");
  });
});

it.each([
  ["/product/ada@example.com", "/product/[email]"],
  ["/product/ada%40example.com.data", "/product/[email]"],
  ["/a/ada%252540example.com/b", "/a/[email]/b"],
  ["/shop", "/shop"],
])("%s is logged as %s", (path, masked) => {
  expect(maskEmails(path)).toBe(masked);
});
