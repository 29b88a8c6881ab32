/** What was typed, as one act on one order, or the list. Whatever cannot be meant is answered with how it is written. */
import { parseArgs } from "node:util";
import type { Database } from "../../db/connection.server.ts";
import { findOrderIds } from "../../shop/fulfillment/desk.server.ts";
import type { PaymentProvider } from "../../shop/payments/provider.ts";
import { acts, type Act, type Options } from "./acts.ts";
import { list } from "./list.ts";
import { Refusal } from "./refusal.ts";

export class Usage extends Error {}

export type Desk = { db: Database; provider: PaymentProvider | null };

const usage = () => {
  const lines = Object.entries(acts).map(([name, { usage: options, does }]) => [
    `NUMBER ${name} ${options}`.trim(),
    does,
  ]);
  lines.unshift(["list [STATUS]", "what needs a hand, or the newest orders of a status"]);
  return [
    "Usage: npm run order -- NUMBER ACT [OPTIONS]",
    "",
    ...lines.map(([written, does]) => `  ${written}\n      ${does}`),
    "",
    "NUMBER is the order's number, the first 8 characters of its id.",
  ].join("\n");
};

const wrong = (why: string) => new Usage(`${why}\n\n${usage()}`);

/** Reads the arguments; throws Usage where they are none of these. */
export function readCommand(args: string[]): (desk: Desk) => Promise<string> {
  const [first, name, ...rest] = args;
  if (!first || first === "help" || first === "--help") throw new Usage(usage());
  if (first === "list") {
    const listed = list(name);
    if (!listed || rest.length > 0) throw wrong(`There is no status '${[name, ...rest].join(" ")}'.`);
    return ({ db }) => listed(db);
  }
  if (!name) throw wrong("Say what is to be done with the order.");
  if (!Object.hasOwn(acts, name)) throw wrong(`There is no act '${name}'.`);
  const act: Act = acts[name as keyof typeof acts];
  const options = readOptions(act, name, rest);
  return async (desk) => act.run(desk, await orderOf(desk.db, first), options);
}

function readOptions(act: Act, name: string, args: string[]): Options {
  const types = Object.entries(act.options).map(([option, kind]) => [
    option,
    { type: kind === "flag" ? ("boolean" as const) : ("string" as const) },
  ]);
  try {
    const { values } = parseArgs({ args, options: Object.fromEntries(types), strict: true });
    const given = Object.entries(values).map(([option, value]) => [option, value === true ? "yes" : String(value)]);
    const options = Object.fromEntries(given) as Options;
    for (const needed of act.needs) if (!options[needed]) throw new Error(`--${needed} is missing.`);
    return options;
  } catch (error) {
    throw wrong(`${name}: ${error instanceof Error ? error.message.split(". To ")[0] : ""}`);
  }
}

async function orderOf(db: Database, number: string): Promise<string> {
  const [id, another] = await findOrderIds(db, number);
  if (!id) throw new Refusal(`There is no order ${number}. Its number is the first 8 characters of its id.`);
  if (another)
    throw new Refusal(`More than one order begins with ${number}. Type more of its id, from its email's link.`);
  return id;
}
