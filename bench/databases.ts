/** Databases under measurement: copies of one migrated and seeded template, on a PostgreSQL in a temporary folder. */
import { administer, databaseUrl, type prepareTemplate } from "../tests/support/database.setup.ts";

export type Bench = Pick<Awaited<ReturnType<typeof prepareTemplate>>, "server" | "template">;

let made = 0;

export async function freshDatabase({ server, template }: Bench): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `${template}_bench_${made++}`;
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return {
    url: databaseUrl(server, name),
    drop: () => administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}
