/** Reads every posted form, and refuses fields that the form on its page does not have. */
import { repeatedEvent } from "./log.server.ts";
import { NO_STORE } from "./cache-headers.ts";

const MAX_FIELDS = 60;
const MAX_VALUE_CHARACTERS = 20_000;
const URLENCODED = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

function refuse(status: number, message: string): Response {
  repeatedEvent("form-of-no-page", { outcome: "refused", reason: message });
  return new Response(message, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", ...NO_STORE },
  });
}

/**
 * The fields of a posted form. `names` are the fields that it has, each at most once; those in `lists` may repeat. Throws
 * a Response where something else was sent: 415 for another encoding, 400 for a field that it does not have or that is
 * there twice, and for too many fields or too long ones. The response never repeats what was sent.
 */
export async function readForm(
  request: Request,
  names: readonly string[],
  lists: readonly string[] = [],
): Promise<URLSearchParams> {
  const type = request.headers.get("Content-Type");
  // A button without fields sends a form without a body.
  if (type === null && !request.body) return new URLSearchParams();
  if (!URLENCODED.test(type ?? "")) throw refuse(415, "This shop reads forms only as a browser sends them.");
  const body = await request.text();
  let fields = 1;
  for (let at = body.indexOf("&"); at !== -1; at = body.indexOf("&", at + 1)) {
    if (++fields > MAX_FIELDS) throw refuse(400, "This form has too many fields.");
  }
  const form = new URLSearchParams(body);
  const seen = new Set<string>();
  for (const [name, value] of form) {
    const isKnown = names.includes(name) && !seen.has(name);
    if (!isKnown && !lists.includes(name)) throw refuse(400, "This form has a field that does not belong to it.");
    if (value.length > MAX_VALUE_CHARACTERS) throw refuse(400, "A field of this form is too long.");
    seen.add(name);
  }
  return form;
}
