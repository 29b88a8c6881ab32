/** One command from its arguments to what it says, in a process that may do others: it leaves nothing open. */
import { embeddedBeside } from "../../db/beside.ts";
import { isDatabaseDown, openDatabase } from "../../db/connection.server.ts";
import { configOf, readEnv, systemEnvironment } from "../../server/config.ts";
import { authSecret } from "../../server/web.ts";
import { readCommand, Usage } from "./command.ts";
import { openProvider } from "./provider.ts";

/** What is said, on which output, and the process's exit code. */
export type Ended = { code: number; out: string; error: string };

/** Worth one sentence to whoever typed the command. */
const saying = (error: unknown): string => {
  if (isDatabaseDown(error)) return "The database does not answer. Try again once it does.";
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return error instanceof Error ? `${error.message.split("\n")[0]}${cause}` : String(error);
};

export async function runOrder(args: string[], variables?: Parameters<typeof readEnv>[0]): Promise<Ended> {
  const ends: (() => Promise<void>)[] = [];
  try {
    const run = readCommand(args);
    const env = readEnv(variables);
    const database = env.DATABASE_URL
      ? { url: env.DATABASE_URL, stop: async () => {} }
      : await embeddedBeside(env.DATA_DIR, systemEnvironment());
    ends.push(() => database.stop());
    const { db, pool } = openDatabase(database.url, 4, null);
    ends.push(() => pool.end());
    const config = configOf(env, { databaseUrl: database.url, secret: env.AUTH_SECRET ?? authSecret(env) });
    const { provider, stop } = await openProvider(config);
    ends.push(stop);
    return { code: 0, out: `${await run({ db, provider })}\n`, error: "" };
  } catch (error) {
    return error instanceof Usage
      ? { code: 2, out: "", error: `${error.message}\n` }
      : { code: 1, out: "", error: `${saying(error)}\n` };
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}
