/** The connection pool of this process. Functions of shop/ receive it as `db`. */
import { openDatabase, TIMEOUT_MS } from "#db/connection.server.ts";
import { singleton } from "#shop/singleton.ts";
import { config } from "./config.server.ts";

export const { db, pool } = singleton("database", () => {
  const { databaseUrl, poolSize, clockOffsetMs } = config();
  return openDatabase(databaseUrl, poolSize, TIMEOUT_MS, clockOffsetMs);
});
