/** Puts whole objects in the place of ids, where `expand[]` asks for it. */
import { objectsOf, type Payment, type SandboxObject } from "../payment.ts";
import { invalidRequest } from "../refusal.ts";

type Kind = SandboxObject["object"];

/** What a call answers with: an object, or a list of them. */
export type Shape = { kind: Kind | "event"; isList: boolean };

const MAX_DEPTH = 4;

/** What can be expanded in an object of each kind, and what then stands there. */
const EXPANDABLE: Record<Shape["kind"], Record<string, Kind>> = {
  "checkout.session": { payment_intent: "payment_intent" },
  payment_intent: { latest_charge: "charge" },
  charge: { payment_intent: "payment_intent", refunds: "refund" },
  refund: { charge: "charge", payment_intent: "payment_intent" },
  dispute: { charge: "charge", payment_intent: "payment_intent" },
  event: {},
};

const isExpandable = ({ kind, isList }: Shape, [name = "", ...rest]: string[]): boolean => {
  if (isList) return name === "data" && rest.length > 0 && isExpandable({ kind, isList: false }, rest);
  const next = EXPANDABLE[kind][name];
  return next !== undefined && (rest.length === 0 || isExpandable({ kind: next, isList: name === "refunds" }, rest));
};

/** Comes before anything is done. */
export function checkExpand(shape: Shape, paths: string[] = []): void {
  for (const path of paths) {
    const parts = path.split(".");
    if (parts.length > MAX_DEPTH) {
      throw invalidRequest(`You cannot expand more than ${MAX_DEPTH} levels of a property.`, { param: "expand" });
    }
    if (!isExpandable(shape, parts)) {
      throw invalidRequest(`This property cannot be expanded (${path}).`, { param: "expand" });
    }
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** A charge's refunds stand nowhere in it until they are asked for. */
const refundsOf = ({ refunds }: Payment, charge: unknown) => ({
  object: "list",
  data: refunds.filter((refund) => refund.charge === charge).toReversed(),
  has_more: false,
  url: "/v1/refunds",
});

type Lookup = (id: string) => Promise<Payment | null>;

async function expandPath(value: object, [name = "", ...rest]: string[], paymentOf: Lookup): Promise<object> {
  const fields: Record<string, unknown> = Object.fromEntries(Object.entries(value));
  if (Array.isArray(fields.data) && fields.object === "list") {
    const items = fields.data.filter(isObject);
    return { ...fields, data: await Promise.all(items.map((item) => expandPath(item, rest, paymentOf))) };
  }
  const payment = await paymentOf(String(fields.id));
  const found =
    name === "refunds" && payment
      ? (fields.refunds ?? refundsOf(payment, fields.id))
      : payment && objectsOf(payment).find(({ id }) => id === fields[name]);
  const child = found ?? fields[name];
  return { ...fields, [name]: isObject(child) && rest.length > 0 ? await expandPath(child, rest, paymentOf) : child };
}

/** `paymentOf` finds the payment that an id stands in. */
export async function expandAll(object: object, paths: string[] = [], paymentOf: Lookup): Promise<object> {
  let expanded = object;
  // Shorter ones first, so that what is asked for inside of them finds the whole object there.
  for (const path of paths.toSorted((one, other) => one.length - other.length)) {
    expanded = await expandPath(expanded, path.split("."), paymentOf);
  }
  return expanded;
}
