/** Zod would generate code for what it reads: pages forbid that, and a browser reports the attempt. */
import { config } from "zod";

config({ jitless: typeof document !== "undefined" });
