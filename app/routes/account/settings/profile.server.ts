import { db } from "../../../database.server.ts";
import { updateProfile } from "../../../../shop/accounts/profile.server.ts";
import { profileSchema } from "../../../../shop/accounts/settings-forms.ts";
import { reportError } from "../../../http/log.server.ts";
import { fieldErrors } from "../../../http/field-errors.ts";
import type { Call, HandlerResult } from "../handler.server.ts";

export async function changeProfile({ customer, form }: Call): Promise<HandlerResult> {
  const typed: Record<string, string> = {};
  for (const [name, value] of form) typed[name] = value;
  const read = profileSchema.safeParse(typed);
  if (!read.success) return { ok: false, errors: fieldErrors(read.error), typed };
  try {
    await updateProfile(db, customer.id, read.data);
  } catch (error) {
    reportError(error, "a profile was not changed");
    return { ok: false, status: 503, message: "Your profile could not be updated. Please try again.", typed };
  }
  return { ok: true, title: "Profile updated", message: "Your profile has been successfully updated." };
}
