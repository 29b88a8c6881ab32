/** How the shop says that something failed without anybody waiting for it; the process that runs it passes one in. */
export type Report = (error: unknown, what: string, fields?: Record<string, string | number>) => void;
