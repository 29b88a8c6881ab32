import type { AuthAnswer } from "../../../session/auth-result.ts";

export type ResetAnswer = AuthAnswer & { sentTo?: string };
