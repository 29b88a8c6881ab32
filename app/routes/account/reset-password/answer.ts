import type { AuthAnswer } from "../auth/answer.ts";

export type ResetAnswer = AuthAnswer & { sentTo?: string };
