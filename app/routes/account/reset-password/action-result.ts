import type { AuthActionResult } from "../../../session/auth-result.ts";

export type ResetActionResult = AuthActionResult & { sentTo?: string };
