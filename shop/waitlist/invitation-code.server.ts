/** The code of an invitation from the waitlist: whoever has it may order early. */
import { createHash, createHmac } from "node:crypto";
import { purposeKey } from "../purpose-key.server.ts";

/** The code in an invitation's link, made from its id when it is needed, so that none is kept. */
export const invitationCode = (id: string, secret: string): string =>
  createHmac("sha256", purposeKey(secret, "waitlist invitation")).update(id).digest("base64url");

/** What a code is kept and asked for as. */
export const codeHash = (code: string): string => createHash("sha256").update(code).digest("base64url");
