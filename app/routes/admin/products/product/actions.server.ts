import { redirect, type ActionFunctionArgs } from "react-router";
import { clock } from "#shop/clock.ts";
import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import {
  changePictures,
  deleteProduct,
  editProduct,
  getProductRecord,
  type OtherEdit,
  type ProductPictures,
  retireProduct,
  unretireProduct,
} from "#shop/catalog/back-office/edit-product.server.ts";
import { changesPrice, MAX_ALT, MAX_PICTURES, PRODUCT_FIELDS } from "#shop/catalog/back-office/product-form.ts";
import { unsentUnits } from "#shop/fulfillment/shipments.server.ts";
import { stockSchema } from "#shop/inventory/move-form.ts";
import { moveStock } from "#shop/inventory/stock.server.ts";
import { CODE_FIELD, requireFreshStaff, staffMay } from "#app/session/staff.server.ts";
import { whenWords } from "#app/ui/admin/when.tsx";
import { done, readForm, refused } from "#app/http/form.server.ts";
import { actionOf, actions, fieldError, handle, rejected, unverified, type Action } from "../../action.server.ts";
import { delay } from "./delay.server.ts";
import { currentSchema, readUploadAction, storeUploads } from "../product-form.server.ts";

/** Fields whose words differ from their name. */
const WORDS: Record<string, string> = {
  slug: "URL handle",
  colorVariant: "color",
  priceCents: "price",
  compareAtPriceCents: "compare-at price",
  earlyBirdPriceCents: "early-bird price",
  earlyBirdEndDate: "early-bird end",
  isAvailable: "availability",
  shipsFrom: "ship date",
  weightOz: "shipping weight",
  images: "pictures",
  pictureAlts: "descriptions of pictures",
  retiredAt: "archive status",
};

/** Formats "price and early-bird end". */
const fieldWords = (fields: readonly string[]): string =>
  new Intl.ListFormat("en-US").format(
    fields.map((field) => WORDS[field] ?? field.replaceAll(/[A-Z]/g, " $&").toLowerCase()),
  );

const gone = (action: Action) => refused(action, "This product was deleted.", { status: 404 });

const others = (edits: OtherEdit[]) =>
  edits
    .map(
      ({ name, at, fields }) => `${name ?? "The system"} changed ${fieldWords(fields)} (${whenWords(at, clock.now())})`,
    )
    .join("; ") || "It was changed elsewhere";

async function edit(args: ActionFunctionArgs, intent: string) {
  const form = await readForm(args.request, [CODE_FIELD, "version", "over", ...PRODUCT_FIELDS]);
  const action = actionOf(args, intent, form);
  const { id, context } = action;
  const read = (await currentSchema()).safeParse(Object.fromEntries(form));
  if (!read.success) return rejected(action, read.error);
  const product = await getProductRecord(db, id);
  if (!product) return gone(action);
  if (changesPrice(product, read.data)) {
    if (!staffMay(context, "products:price"))
      return refused(action, "Your role cannot change prices.", { status: 403 });
    const problem = await requireFreshStaff(context, form.get(CODE_FIELD));
    if (problem) return unverified(action, problem);
  }
  const version = Number(form.get("over") ?? form.get("version"));
  const result = await editProduct(db, action.by, id, read.data, version);
  if (result.ok) {
    if (result.changed.length === 0) return done(action, "No changes to save.");
    return done(action, `Saved ${fieldWords(result.changed)}. Changes are live.`);
  }
  switch (result.reason) {
    case "changed": {
      const next = "Your changes are not saved yet. Overwrite theirs, or reload to see them.";
      return refused(action, `${others(result.by)}. ${next}`, { data: { over: String(result.version) } });
    }
    case "not-found":
      return gone(action);
    case "slug-taken":
      return fieldError(action, "slug", "Another product has this URL handle", 409);
    default:
      return fieldError(action, "slug", "This product has orders, so its URL handle cannot change", 409);
  }
}

const units = (count: number) => `${count.toLocaleString("en-US")} ${count === 1 ? "unit" : "units"}`;

async function changeStock(action: Action<z.output<typeof stockSchema>>) {
  const { id, by, value } = action;
  const result = await moveStock(db, by, { productId: id, ...value }, unsentUnits(id));
  if (result.ok) {
    const difference = `${units(Math.abs(result.delta))} ${result.delta > 0 ? "more" : "fewer"}`;
    const message = `${result.delta === 0 ? "No change" : difference}: ${units(result.units)} available.`;
    return done(action, message, { clears: true });
  }
  if (result.reason === "not-found") return gone(action);
  if (value.reason !== "counted") return fieldError(action, "units", `Only ${units(result.units)} available.`, 409);
  const committed = `${units(result.unsent)} are committed to orders, so on hand cannot be lower. Cancel an order first.`;
  return fieldError(action, "units", committed, 409);
}

async function addPictures(args: ActionFunctionArgs, intent: string) {
  const action = await readUploadAction(args, intent, []);
  if (action.files.length === 0) return fieldError(action, "pictures", "Select a picture.");
  const product = await getProductRecord(db, action.id);
  if (!product) return gone(action);
  const tooMany = () =>
    fieldError(action, "pictures", `A product can have up to ${MAX_PICTURES} pictures. Remove one first.`, 409);
  // Encoding takes seconds, so the pictures are counted before it.
  if (product.images.length + action.files.length > MAX_PICTURES) return tooMany();
  const stored = await storeUploads(action);
  if ("problem" in stored) return fieldError(action, "pictures", stored.problem);
  const add = ({ images, pictureAlts }: ProductPictures) => ({
    images: [...new Set([...images, ...stored.names])],
    pictureAlts,
  });
  const result = await changePictures(db, action.by, action.id, add);
  if (result.ok) return done(action, "Pictures added. Changes are live.");
  return result.reason === "not-found" ? gone(action) : tooMany();
}

const arrangeSchema = z.object({ do: z.string().regex(/^(?:[\w-]+:(?:\d|remove))?$/) });

/** Saves the descriptions of pictures, moves the one in `do` (`{name}:{index}`) or removes it (`{name}:remove`). */
async function arrange(action: Action<z.output<typeof arrangeSchema>>) {
  const { form, value } = action;
  const [moved = "", to = ""] = value.do.split(":");
  const alts = form.getAll("alt").map((alt) =>
    alt
      .replaceAll(/\p{Cc}/gu, " ")
      .trim()
      .slice(0, MAX_ALT),
  );
  const typed = new Map(form.getAll("key").map((name, index) => [name, alts[index] ?? ""]));
  const result = await changePictures(db, action.by, action.id, ({ images, pictureAlts }) => {
    const kept = images.filter((name) => name !== moved);
    if (images.includes(moved) && to !== "remove") kept.splice(Number(to), 0, moved);
    const described = kept.map((name) => [name, typed.get(name) ?? pictureAlts[name] ?? ""] as const);
    return { images: kept, pictureAlts: Object.fromEntries(described.filter(([, alt]) => alt !== "")) };
  });
  if (!result.ok) return gone(action);
  if (to === "remove") return done(action, "Picture removed.");
  return done(action, moved ? "Order saved. The first picture is the main one." : "Descriptions saved.");
}

const deleteSchema = z.object({ sure: z.literal("on", { error: "Confirm that you want to delete it" }) });

export const action = actions({
  edit,
  stock: handle(stockSchema, changeStock),
  pictures: addPictures,
  picture: handle(arrangeSchema, arrange, { lists: ["key", "alt"] }),
  delay,
  retire: handle(z.object({}), async (action) => {
    const { ok } = await retireProduct(db, action.by, action.id);
    return ok ? done(action, "Archived. It no longer appears in the store.") : gone(action);
  }),
  unretire: handle(z.object({}), async (action) => {
    const { ok } = await unretireProduct(db, action.by, action.id);
    return ok ? done(action, "Unarchived. Make it available for sale when its stock is right.") : gone(action);
  }),
  delete: handle(deleteSchema, async (action) => {
    const result = await deleteProduct(db, action.by, action.id);
    if (result.ok || result.reason === "not-found") return redirect("/admin/products");
    return refused(action, "This product now has orders, so it cannot be deleted. Archive it instead.");
  }),
});
