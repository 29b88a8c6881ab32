/** Reads a posted form with pictures, as readForm reads one without. */
import { NO_STORE } from "./cache-headers.ts";

const MULTIPART = /^multipart\/form-data\s*;/i;
const MAX_VALUE_CHARACTERS = 20_000;

/** `slot` says which of the form's fields for a file it is of. */
export type Upload = { form: URLSearchParams; files: { file: File; slot: number }[] };

const refuse = (status: number, message: string) =>
  new Response(message, { status, headers: { "Content-Type": "text/plain; charset=utf-8", ...NO_STORE } });

type Rules = { names: readonly string[]; lists?: readonly string[]; fileField: string; maxFiles: number };

/**
 * The fields and files of a posted form, of which the server has limited the size. Throws a Response where something else was
 * sent: another encoding, a field that the form does not have, a file where none belongs, more files than it takes.
 */
export async function readUpload(request: Request, { names, lists = [], fileField, maxFiles }: Rules): Promise<Upload> {
  if (!MULTIPART.test(request.headers.get("Content-Type") ?? "")) {
    throw refuse(415, "This shop reads forms only as a browser sends them.");
  }
  const body = await request.formData().catch(() => null);
  if (!body) throw refuse(400, "This form did not arrive whole.");
  const form = new URLSearchParams();
  const files: Upload["files"] = [];
  let slot = 0;
  for (const [name, value] of body) {
    if (typeof value !== "string") {
      if (name !== fileField) throw refuse(400, "This form has a file that does not belong to it.");
      // A browser sends an empty one where none was chosen.
      if (value.size > 0 || value.name !== "") files.push({ file: value, slot });
      slot++;
      continue;
    }
    const isKnown = names.includes(name) && !form.has(name);
    if (!isKnown && !lists.includes(name)) throw refuse(400, "This form has a field that does not belong to it.");
    if (value.length > MAX_VALUE_CHARACTERS) throw refuse(400, "A field of this form is too long.");
    form.append(name, value);
  }
  if (files.length > maxFiles) throw refuse(400, `This form takes at most ${maxFiles} files.`);
  return { form, files };
}
