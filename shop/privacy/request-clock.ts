/** How long each law gives the shop to answer a request. */
import { policy } from "../policies.ts";
import type { RequestLaw } from "./request.ts";

const DAY_MS = 86_400_000;

/**
 * In days: what the privacy policy promises, and the further time that the law allows once (GDPR, Article 12(3): two
 * months; CCPA, section 1798.130(a)(2): 45 days).
 */
export const LAW_DAYS: Record<RequestLaw, { answer: number; extension: number }> = {
  gdpr: { answer: policy.gdprResponseDays, extension: 60 },
  ccpa: { answer: policy.ccpaResponseDays, extension: 45 },
};

/** By when a request is to be answered that came at a time. */
export const dueAt = (receivedAt: Date, law: RequestLaw): Date =>
  new Date(receivedAt.getTime() + LAW_DAYS[law].answer * DAY_MS);
