/** Why the embedded database did not start, in one line with the remedy, from what PostgreSQL wrote. */

const CAUSE =
  /(?:PANIC|FATAL): +(?! |the database system is|sorry, too many|terminating)(.+)|^(?:postgres|initdb): (?:error: )?(.+)/m;

function causeIn(log: string): string {
  const found = CAUSE.exec(log);
  return found?.[1] ?? found?.[2] ?? log.trim().split("\n").at(-1) ?? "";
}

export const inUse = (dataDir: string) =>
  new Error(
    `Another Polara already runs on ${dataDir}. Stop it first, or start this one with another folder: DATA_DIR=.data-2 PORT=3001 npm start`,
  );

export const lostPassword = () =>
  new Error(
    "The file postgres-admin-password in DATA_DIR is missing, empty or another one's. Put it back from the backup of this folder.",
  );

export const damaged = (folder: string, dataDir: string, cause: string) =>
  new Error(
    `The database in ${folder} is damaged or incomplete (${cause}). Put ${dataDir} back from its backup, or set DATA_DIR to another folder for a new shop.`,
  );

export const noRights = (path: string) =>
  new Error(
    `This user may not read or write ${path}. Let the user who starts the shop read and write it, or set DATA_DIR to another folder.`,
  );

export const diskFull = (path: string) => new Error(`The disk of ${path} is full. Make room on it, then start again.`);

/** Processes of a PostgreSQL that was killed have not ended yet: they hold its memory. */
export const isStillHeld = (log: string) => log.includes("pre-existing shared memory block");

export function embeddedFault(log: string, folder: string, dataDir: string): Error {
  if (/lock file "postmaster\.pid" (already exists|is empty)/.test(log)) return inUse(dataDir);
  if (isStillHeld(log)) {
    return new Error(`Processes of a PostgreSQL that was killed still use ${folder}. End them, then start again.`);
  }
  if (log.includes("invalid permissions")) {
    return new Error(`The database's folder must be open to its owner and to nobody else: chmod 700 ${folder}`);
  }
  if (log.includes("No space left on device")) return diskFull(folder);
  if (/Permission denied|Read-only file system|wrong ownership/.test(log)) return noRights(folder);
  const version = /initialized by PostgreSQL version (\S+),/.exec(log)?.[1];
  if (version) {
    return new Error(
      `The database in ${folder} was made by PostgreSQL ${version}, which this shop does not bring. Start the version of the shop that made it, or set DATA_DIR to another folder.`,
    );
  }
  return damaged(folder, dataDir, causeIn(log));
}
