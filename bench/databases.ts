/** Databases under measurement: copies of one migrated and seeded template, on a PostgreSQL in a temporary folder. */
import { createDatabase, type prepareTemplate } from "../tests/support/database.setup.ts";

export type Bench = Pick<Awaited<ReturnType<typeof prepareTemplate>>, "server" | "template">;

export const freshDatabase = ({ server, template }: Bench) => createDatabase(server, template);
