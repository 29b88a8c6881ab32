/** A request of a return in three steps: its kind, what comes back, and what follows from it. */
import { redirect } from "react-router";
import { clock } from "#shop/clock.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { listOrderItems } from "#shop/orders/orders.server.ts";
import { returnPolicy } from "#shop/policies.ts";
import { waitMessage } from "#shop/rate-limits/rate-limits.server.ts";
import { exchangeChoices } from "#shop/returns/exchange.server.ts";
import { RETURN_KINDS } from "#shop/returns/lifecycle.ts";
import { uploadProblem } from "#shop/returns/photo.ts";
import { addPhotos } from "#shop/returns/photos.server.ts";
import { previewRefund, requestReturn, returnOptions, type RequestResult } from "#shop/returns/request.server.ts";
import { listReturnsOfOrder } from "#shop/returns/returns.server.ts";
import { taxProvider } from "#shop/tax/open-tax.server.ts";
import { invalid, readForm, readUpload, refused, wantsDocument, type UploadedFile } from "#app/http/form.server.ts";
import type { OrderAccess } from "#app/session/order-access.server.ts";
import { rateLimits } from "#app/session/rate-limits.server.ts";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { db } from "#platform/database.server.ts";
import { reportError } from "#platform/log.server.ts";
import { actorOf } from "../actions.server.ts";
import { chooseSchema, lastDay, NOT_SENT, readUnits, reasonsFor, sendSchema, termsOf, whyNot } from "./request-form.ts";
import { requestPath, returnPath } from "./paths.ts";

/** The steps before the current one are in the address. */
export async function loadRequest(orderId: string, query: URLSearchParams) {
  const [found, items] = await Promise.all([returnOptions(db, orderId), listOrderItems(db, [orderId])]);
  const options = found ?? [];
  const kind = RETURN_KINDS.find((each) => each === query.get("kind"));
  if (!kind || whyNot(options, kind) !== null) {
    const kinds = RETURN_KINDS.map((each) => ({
      kind: each,
      why: whyNot(options, each),
      until: lastDay(options, each),
    }));
    return { step: "kind", kinds } as const;
  }
  const lines = options
    .filter(({ kinds }) => kinds[kind].why === null)
    .map((line) => ({ ...line, thumbnail: items.find(({ id }) => id === line.lineId)?.thumbnail ?? null }));
  const reason = reasonsFor(lines, kind).find((each) => each === query.get("reason"));
  const units = readUnits(query.getAll("units"), lines, kind) ?? {};
  const chosen = lines.filter(({ lineId }) => units[lineId] !== undefined);
  const [first] = chosen;
  if (!reason || !first || (kind === "exchange" && chosen.length > 1)) return { step: "lines", kind, lines } as const;
  const isExchange = kind === "exchange";
  const [refundCents, choices] = await Promise.all([
    previewRefund(db, orderId, units, reason),
    isExchange ? exchangeChoices(db, orderId, { lineId: first.lineId, units: units[first.lineId]! }) : [],
  ]);
  const shipBy = daysAfter(newYorkDay(clock.now()), returnPolicy.shipBackDays);
  return {
    step: "send",
    kind,
    reason,
    units,
    lines: chosen.map(({ lineId, name, thumbnail }) => ({ lineId, name, thumbnail, units: units[lineId]! })),
    terms: termsOf({ kind, reason, shipBy, refundCents }),
    choices,
    formKey: crypto.randomUUID(),
  } as const;
}

export type RequestData = Awaited<ReturnType<typeof loadRequest>>;

/** The chosen units become part of the address of the last step. */
export async function choose({ order }: OrderAccess, request: Request) {
  const form = await readForm(request, ["reason"], ["units"]);
  const page = await loadRequest(order.id, new URL(request.url).searchParams);
  if (page.step !== "lines") return redirect(requestPath(order.id), { status: 303, headers: NO_STORE });
  const submission = parseForm(form, chooseSchema(page.lines, page.kind));
  if (submission.status !== "success") return invalid(submission);
  const { reason, units } = submission.value;
  const query = new URLSearchParams({ kind: page.kind, reason });
  for (const each of units) if (each) query.append("units", each);
  return redirect(`${requestPath(order.id)}?${query}`, { status: 303, headers: NO_STORE });
}

const HOUR = 3600;
/** More files than a request takes are refused at their field. */
const MAX_FILES = 20;

type Refusal = Extract<RequestResult, { ok: false }>;

const REFUSALS: Record<Exclude<Refusal["reason"], "line">, string> = {
  "not-found": "This order can’t be returned anymore.",
  "nothing-chosen": "Please choose again what you’d like to send back.",
  reason: "Please choose your reason again.",
  "one-line": "Please exchange one product at a time.",
  "too-many": "There have been many requests for this order. Please contact us instead.",
  "sold-out": "It has just sold out. Choose something else",
  "price-changed": "Its price has changed. Check it, then send your request again",
  "tax-unknown": "We couldn’t work out the sales tax. Please try again.",
};

const AT_EXCHANGE = ["sold-out", "price-changed"];

const AGAIN = "Select the photos again";

/** Encodes photos one after another. Returns the problem of the first bad one. */
async function encodeAll(files: UploadedFile[]): Promise<{ images: Buffer[] } | { problem: string }> {
  const { encodePhoto } = await import("#shop/returns/encode-photo.server.ts");
  const images: Buffer[] = [];
  for (const [i, file] of files.entries()) {
    const encoded = await encodePhoto(file.bytes());
    if ("problem" in encoded)
      return { problem: files.length > 1 ? `Photo ${i + 1}: ${encoded.problem}` : encoded.problem };
    images.push(encoded.body);
  }
  return { images };
}

/** The page of a request that was sent twice; otherwise the request starts over. */
async function sentBefore(orderId: string, formKey: string | null) {
  const known = (await listReturnsOfOrder(db, orderId)).find((orderReturn) => orderReturn.formKey === formKey);
  const to = known ? returnPath(orderId, known.number) : requestPath(orderId);
  return redirect(to, { status: 303, headers: NO_STORE });
}

export async function send(access: OrderAccess, request: Request) {
  const { id: orderId } = access.order;
  const upload = await readUpload(request, {
    names: ["formKey", "description", "exchange"],
    fileField: "photos",
    maxFiles: MAX_FILES,
  });
  const page = await loadRequest(orderId, new URL(request.url).searchParams);
  if (page.step !== "send") return sentBefore(orderId, upload.form.get("formKey"));
  const { kind, reason, units } = page;
  const files = upload.files.map(({ file }) => file);
  const submission = parseForm(upload.form, sendSchema(kind));
  // A document comes back without the files; a script keeps them.
  const isLost = files.length > 0 && wantsDocument(request);
  const refuse = (message: string, errors: Record<string, string> = {}, status = 400) =>
    refused(submission, message, { status, errors: { ...(isLost && { photos: AGAIN }), ...errors } });
  const refusePhotos = (problem: string) => refuse("", { photos: isLost ? `${problem}. ${AGAIN}` : problem });
  if (submission.status !== "success") return refuse("A few fields need fixing.");
  const problem = uploadProblem(files);
  if (problem) return refusePhotos(problem);
  const limited =
    files.length > 0 &&
    (await rateLimits.consume([{ name: "return photos of order", subject: orderId, points: 30, seconds: HOUR }]));
  if (limited) return refuse(waitMessage(limited.wait), {}, 429);
  try {
    const encoded = await encodeAll(files);
    if ("problem" in encoded) return refusePhotos(encoded.problem);
    const { formKey, description = "", exchange } = submission.value;
    const [productId = "", difference] = exchange?.split(":") ?? [];
    const wanted = exchange ? { productId, differenceCents: Number(difference) } : null;
    const asked = { formKey, kind, reason, description, units, exchange: wanted };
    const result = await requestReturn(db, taxProvider(), orderId, asked, actorOf(access));
    if (result.ok) {
      await addPhotos(db, result.returnId, encoded.images);
      return redirect(returnPath(orderId, result.number), { status: 303, headers: NO_STORE });
    }
    if (result.reason === "line") return refuse(`${result.name}: ${result.why}`, {}, 409);
    const words = REFUSALS[result.reason];
    return AT_EXCHANGE.includes(result.reason) ? refuse("", { exchange: words }, 409) : refuse(words, {}, 409);
  } catch (error) {
    reportError(error, "a return was not requested");
    return refuse(NOT_SENT, {}, 503);
  }
}
