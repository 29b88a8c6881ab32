/** Shares PostgreSQL's connections out among the processes of one shop, so that together they never ask for too many. */

/** What a process by itself keeps at most. */
export const MAX_POOL = 10;
/** A request may need a second connection while it holds one. */
const MIN_POOL = 2;
/** What each process has beside its pool: a listener for the catalog, or the two of the job queue. */
const BESIDE = 2;
/** The jobs, and one web process that is being replaced. */
const MORE_PROCESSES = 2;
/** PostgreSQL's own reserve, a backup, a migration, a person who looks. */
const RESERVED = 10;

const neededBy = (processes: number) => (MIN_POOL + BESIDE) * (processes + MORE_PROCESSES) + RESERVED;

/** The pool of each of `processes` web processes and of the jobs. Throws where PostgreSQL has too few for them. */
export function poolSize(processes: number, maxConnections: number): number {
  const needed = neededBy(processes);
  if (needed > maxConnections) {
    throw new Error(
      `${processes} web processes need ${needed} connections, and PostgreSQL's max_connections is ${maxConnections}. Set a smaller WEB_PROCESSES, or raise max_connections.`,
    );
  }
  const share = Math.floor((maxConnections - RESERVED) / (processes + MORE_PROCESSES));
  return Math.min(MAX_POOL, share - BESIDE);
}
