/** What may be done to one product. */
import { redirect, type RouterContextProvider } from "react-router";
import { db } from "../../../../database.server.ts";
import { changePictures } from "../../../../../shop/catalog/desk/create-product.server.ts";
import { getDeskProduct } from "../../../../../shop/catalog/desk/desk-product.server.ts";
import {
  deleteProduct,
  editProduct,
  retireProduct,
  unretireProduct,
  type OtherEdit,
} from "../../../../../shop/catalog/desk/edit-product.server.ts";
import { MAX_PICTURES } from "../../../../../shop/catalog/desk/picture-rules.ts";
import { changesPrice, PRODUCT_FIELDS } from "../../../../../shop/catalog/desk/product-form.ts";
import { unsentUnits } from "../../../../../shop/fulfillment/unsent-units.server.ts";
import { countSchema, moveSchema } from "../../../../../shop/inventory/move-form.ts";
import { moveStock } from "../../../../../shop/inventory/stock.server.ts";
import { actingOf, requireFreshStaff, staffMay } from "../../../../session/staff.server.ts";
import { whenWords } from "../../../../ui/admin/when.tsx";
import { actOf, done, invalid, readAct, refused, unproved, type Act } from "../../act.server.ts";
import { schemaNow } from "../typed-product.server.ts";
import { keepUploads, readUploadAct } from "../upload-act.server.ts";
import { fieldWords } from "./field-words.ts";

type Context = Readonly<RouterContextProvider>;

const GONE = "This product was deleted meanwhile.";

const others = (edits: OtherEdit[]) =>
  edits
    .map(({ name, at, fields }) => `${name ?? "The shop"} changed ${fieldWords(fields)} (${whenWords(at, new Date())})`)
    .join("; ") || "It was changed outside of this screen";

async function edit(request: Request, context: Context, id: string) {
  const act = await readAct(request, [...PRODUCT_FIELDS, "version", "over"]);
  const read = (await schemaNow()).safeParse(Object.fromEntries(act.form));
  if (!read.success) return invalid(act, read.error);
  const product = await getDeskProduct(db, id);
  if (!product) return refused(act, GONE, { status: 404 });
  if (changesPrice(product, read.data)) {
    if (!staffMay(context, "products:price")) return refused(act, "Your role changes no prices.", { status: 403 });
    const problem = await requireFreshStaff(context, act.form.get("code"));
    if (problem) return unproved(act, problem);
  }
  const version = Number(act.form.get("over") ?? act.form.get("version"));
  const result = await editProduct(db, actingOf(context), id, read.data, version);
  if (result.ok) {
    if (result.changed.length === 0) return done(act, "Saved: nothing was different.");
    return done(act, `Saved ${fieldWords(result.changed)}. Shoppers see it now.`);
  }
  if (result.reason === "changed") {
    act.form.set("over", String(result.version));
    const kept = "Nothing was saved, and what you typed is kept. Save over it, or reload to see theirs.";
    return refused(act, `${others(result.by)}. ${kept}`);
  }
  if (result.reason === "not-found") return refused(act, GONE, { status: 404 });
  const slug =
    result.reason === "slug-taken" ? "Another product has this address" : "It was ordered: its address stays as it is";
  return refused(act, "", { errors: { slug } });
}

const units = (count: number) => `${count.toLocaleString("en-US")} ${count === 1 ? "unit" : "units"}`;

async function move(request: Request, context: Context, productId: string) {
  const act = await readAct(request, ["counted", "reason", "units", "note", "formKey"]);
  const typed = Object.fromEntries(act.form);
  const read = act.key === "count" ? countSchema.safeParse(typed) : moveSchema.safeParse(typed);
  if (!read.success) return invalid(act, read.error);
  const how = "counted" in read.data ? { ...read.data, reason: "counted" as const } : read.data;
  const result = await moveStock(db, actingOf(context), { productId, ...how }, unsentUnits(productId));
  if (result.ok) {
    if (result.delta === 0) return done(act, `As it should be: ${units(result.units)} to sell.`);
    const change = `${units(Math.abs(result.delta))} ${result.delta > 0 ? "more" : "fewer"}`;
    return done(act, `${change}: now ${units(result.units)} to sell.`);
  }
  if (result.reason === "not-found") return refused(act, GONE, { status: 404 });
  const field = act.key === "count" ? "counted" : "units";
  const why =
    act.key === "count"
      ? `${units(result.unsent)} on the shelf are sold and not yet sent, so there must be at least as many. Look for them, or cancel an order first.`
      : `There are only ${units(result.units)} to sell.`;
  return refused(act, "", { errors: { [field]: why } });
}

async function addPictures(request: Request, context: Context, id: string) {
  const act = await readUploadAct(request, []);
  if (act.files.length === 0) return refused(act, "", { status: 400, errors: { pictures: "No picture was chosen." } });
  const kept = await keepUploads(act);
  if ("problem" in kept) return refused(act, "", { status: 400, errors: { pictures: kept.problem } });
  const result = await changePictures(db, actingOf(context), id, (images) => [...new Set([...images, ...kept.names])]);
  if (result.ok) return done(act, "Shoppers see it now.");
  if (result.reason === "not-found") return refused(act, GONE, { status: 404 });
  return refused(act, "", {
    errors: { pictures: `A product has at most ${MAX_PICTURES} pictures: remove one first.` },
  });
}

async function arrange(request: Request, context: Context, id: string) {
  const act: Act = await readAct(request, ["do"]);
  const isFirst = act.form.get("do") === "first";
  const result = await changePictures(db, actingOf(context), id, (images) => {
    const rest = images.filter((name) => name !== act.key);
    return isFirst && images.includes(act.key) ? [act.key, ...rest] : rest;
  });
  if (!result.ok) return refused(act, GONE, { status: 404 });
  return done(act, isFirst ? "It stands first now." : "Removed.");
}

export async function productAct(request: Request, context: Context, id: string) {
  const name = actOf(request);
  if (name === "edit") return edit(request, context, id);
  if (name === "move") return move(request, context, id);
  if (name === "pictures") return addPictures(request, context, id);
  if (name === "picture") return arrange(request, context, id);
  const act = await readAct(request, ["sure"]);
  const by = actingOf(context);
  if (name === "retire") {
    const { ok } = await retireProduct(db, by, id);
    return ok ? done(act, "Retired. Its page says so, and no list shows it.") : refused(act, GONE, { status: 404 });
  }
  if (name === "unretire") {
    const { ok } = await unretireProduct(db, by, id);
    return ok
      ? done(act, "Listed again. Let it be bought when its stock is right.")
      : refused(act, GONE, { status: 404 });
  }
  if (act.form.get("sure") !== "on") {
    return refused(act, "", { status: 400, errors: { sure: "Say that you are sure" } });
  }
  const result = await deleteProduct(db, by, id);
  if (result.ok || result.reason === "not-found") return redirect("/admin/products");
  return refused(act, "It was ordered meanwhile, so it cannot be deleted. Retire it instead.");
}
