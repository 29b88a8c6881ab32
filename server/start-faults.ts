/** Messages for a failed start: the reason and the remedy in one line. */
import { diskFull, noRights } from "#db/embedded-folder.ts";
import { isDatabaseDown } from "#db/connection.server.ts";

type Known = Error & { code?: string; path?: string };

/** The root cause; the first one of an AggregateError. */
function rootOf(error: unknown): Known {
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0]);
  if (error instanceof Error) return error.cause ? rootOf(error.cause) : error;
  return new Error(String(error));
}

function folderFault(code: string, path: string): string | null {
  if (["EACCES", "EPERM", "EROFS"].includes(code)) return noRights(path).message;
  if (["ENOTDIR", "EEXIST"].includes(code)) {
    return `There is a file where the folder ${path} should be. Move it away, or set DATA_DIR to another folder.`;
  }
  if (code === "ENOSPC") return diskFull(path).message;
  return null;
}

const isOutOfReach = (error: Known) => isDatabaseDown(error) || error.message === "timeout expired";

/** Database errors: an SQLSTATE, a certificate error, or a refusal by pg that has no code. */
const isOfDatabase = (error: Known) =>
  isOutOfReach(error) || /^[0-9A-Z]{5}$|CERT|SIGNATURE/.test(error.code ?? "") || /^SASL|SSL/.test(error.message);

function databaseFault(error: Known, databaseUrl: string): string {
  const reason = error.message.split("\n", 1)[0];
  const { host } = new URL(databaseUrl);
  if (isOutOfReach(error)) {
    return `No PostgreSQL answers at ${host || "localhost"}, where DATABASE_URL points (${reason}). Start it there, or correct DATABASE_URL.`;
  }
  if (["28P01", "28000"].includes(error.code ?? "") || reason?.startsWith("SASL")) {
    return `PostgreSQL does not let the user of DATABASE_URL in (${reason}). Correct its user and password.`;
  }
  const remedies: Record<string, string> = {
    "3D000": "Create it with that user as its owner, or correct the name in DATABASE_URL.",
    "42501":
      "Run `npm run migrate` with the DATABASE_URL of the user that owns it, or make this user its owner: ALTER DATABASE name OWNER TO user.",
    "25006": "DATABASE_URL must name a database that can be written to, and no replica of it.",
    "22P05": "Create the database of DATABASE_URL with UTF8 as its encoding.",
  };
  const remedy = remedies[error.code ?? ""] ?? "Correct DATABASE_URL, or the database it names.";
  return `The database of DATABASE_URL cannot be used (${reason}). ${remedy}`;
}

/** The message for the operator. `databaseUrl` is set for an external PostgreSQL. */
export function startFault(error: unknown, databaseUrl: string | undefined): string {
  const root = rootOf(error);
  const ofFolder = root.path ? folderFault(root.code ?? "", root.path) : null;
  if (ofFolder) return ofFolder;
  return databaseUrl && isOfDatabase(root) ? databaseFault(root, databaseUrl) : root.message;
}
