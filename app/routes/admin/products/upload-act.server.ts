/** An act that brings pictures: as readAct, of a form with files. */
import { keepPictures } from "../../../../shop/catalog/pictures/picture-store.server.ts";
import { MAX_PICTURE_BYTES, MAX_PICTURES, SHOTS } from "../../../../shop/catalog/desk/picture-rules.ts";
import { config } from "../../../config.server.ts";
import { readUpload, type Upload } from "../../../http/upload.server.ts";
import { CODE_FIELD } from "../../../session/staff.server.ts";
import { actOf, type Act } from "../act.server.ts";

export type UploadAct = Act & { files: Upload["files"]; shots: string[] };

export async function readUploadAct(request: Request, fields: readonly string[]): Promise<UploadAct> {
  const { form, files } = await readUpload(request, {
    names: ["key", CODE_FIELD, ...fields],
    lists: ["shot"],
    fileField: "pictures",
    maxFiles: MAX_PICTURES,
  });
  const shots = form.getAll("shot");
  form.delete("shot");
  return { name: actOf(request), key: form.get("key") ?? "", form, files, shots };
}

const MEGABYTE = 1024 * 1024;

/** Encodes and keeps the pictures, one after the other. Returns their names, or what is wrong with the first that is. */
export async function keepUploads({ files, shots }: UploadAct): Promise<{ names: string[] } | { problem: string }> {
  const tooLarge = files.find(({ file }) => file.size > MAX_PICTURE_BYTES);
  if (tooLarge) {
    return { problem: `Picture ${tooLarge.slot + 1} is larger than ${MAX_PICTURE_BYTES / MEGABYTE} MB.` };
  }
  const { encodePicture } = await import("../../../../shop/catalog/pictures/encode-picture.server.ts");
  const names: string[] = [];
  const encoded = [];
  for (const { file, slot } of files) {
    const shot = SHOTS.find(({ name }) => name === shots[slot])?.name ?? "";
    const result = await encodePicture(new Uint8Array(await file.arrayBuffer()), shot);
    if ("problem" in result) return { problem: `Picture ${slot + 1}: ${result.problem}` };
    encoded.push(...result.files);
    names.push(result.name);
  }
  if (new Set(names).size < names.length) return { problem: "The same picture was chosen twice." };
  await keepPictures(config().pictures, encoded);
  return { names };
}
