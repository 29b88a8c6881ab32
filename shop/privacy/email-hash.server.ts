/** What stays of an email that was erased: whoever knows it and the shop's secret can ask whether it was, and nobody else. */
import { createHmac } from "node:crypto";
import { purposeKey } from "../purpose-key.server.ts";

export const emailHash = (email: string, secret: string): string =>
  createHmac("sha256", purposeKey(secret, "privacy request")).update(email.toLowerCase()).digest("base64url");
