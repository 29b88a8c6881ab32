/** Zod without generated code, which the pages' Content-Security-Policy forbids. */
import { config, z } from "zod";

config({ jitless: typeof document !== "undefined" });

export { z };
