/** The one connection pool of this process. Shop functions get it passed in as `db`. */
import { openDatabase } from "../db/connection.server.ts";
import { config } from "./config.server.ts";

// Development reloads modules; the pool must outlive them.
const kept = globalThis as { polaraDatabase?: ReturnType<typeof openDatabase> };

export const { db, pool } = (kept.polaraDatabase ??= openDatabase(config().databaseUrl, config().poolSize));
