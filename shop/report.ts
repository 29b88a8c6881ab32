/** Reports an error that nobody waits for. */
export type Report = (error: unknown, what: string, fields?: Record<string, string | number>) => void;
