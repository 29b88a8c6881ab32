/** Who may send more than a form holds: staff who edit products, where they send pictures of one. */
import { readStaff } from "../app/session/staff.server.ts";
import { MAX_PICTURE_BYTES, MAX_PICTURES } from "../shop/catalog/desk/picture-rules.ts";
import { may } from "../shop/staff/permissions.ts";

const FORM_BYTES = 256 * 1024;
export const UPLOAD_LIMIT_BYTES = MAX_PICTURES * MAX_PICTURE_BYTES + FORM_BYTES;

const PLACES = /^\/admin\/products\/(?:new|[0-9a-f-]{36})(?:\.data)?$/;
const ACTS = ["create", "pictures"];

/** Asked before anything of the body is read. */
export async function mayUpload(request: Request): Promise<boolean> {
  const { pathname, searchParams } = new URL(request.url);
  if (!PLACES.test(pathname) || !ACTS.includes(searchParams.get("act") ?? "")) return false;
  if (!request.headers.get("Content-Type")?.startsWith("multipart/form-data")) return false;
  const session = await readStaff(request);
  return session !== null && session !== "ended" && may(session.role, "products:edit");
}
