/** An order at no charge: for a customer, also from one of their orders, or for the press. */
import { useField } from "@conform-to/react";
import { Link, redirect } from "react-router";
import { z } from "#shop/zod.ts";
import { addressSchema, zipInState } from "#shop/checkout/checkout-form.ts";
import { termsVersion } from "#shop/content/texts.server.ts";
import { emailField, SHORT_EMAIL_WORDS } from "#shop/email-field.ts";
import { addressOf } from "#shop/orders/order.ts";
import { GIFT_REASONS, type GiftReason } from "#shop/orders/reasons.ts";
import { getOrderDetails } from "#shop/fulfillment/order-list.server.ts";
import { listInStock, sendAtNoCharge } from "#shop/fulfillment/shop-order.server.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { cartPolicy } from "#shop/policies.ts";
import { lineOfText } from "#shop/text.ts";
import { db } from "#platform/database.server.ts";
import { AdminForm, AdminSelect, AdminText, Control, FieldError, optionList } from "#app/ui/admin/field.tsx";
import { FormKey } from "#app/ui/admin/form-key.tsx";
import { PageHead, Section } from "#app/ui/admin/page-head.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import { actions, fieldError, handle, type Action } from "../action.server.ts";
import { isId } from "../guard.server.ts";
import type { Route } from "./+types/new.ts";
import { AddressFields } from "./order/address-fields.tsx";

export async function loader({ request }: Route.LoaderArgs) {
  const from = new URL(request.url).searchParams.get("from");
  const [found, products] = await Promise.all([isId(from) ? getOrderDetails(db, from) : null, listInStock(db)]);
  return {
    formKey: crypto.randomUUID(),
    from: found && {
      id: found.order.id,
      number: orderNumber(found.order.id),
      email: found.order.email,
      phone: found.order.phone,
      address: addressOf(found.order),
    },
    products,
  };
}

const schema = zipInState(
  z.object({
    ...addressSchema.shape,
    formKey: z.uuid(),
    from: z.uuid().or(z.literal("")).default(""),
    email: emailField(SHORT_EMAIL_WORDS),
    phone: lineOfText("Phone number", 20).default(""),
    reason: z.enum(Object.keys(GIFT_REASONS) as [GiftReason], { error: "Choose a reason" }),
  }),
);

/** Units by product from `units` fields ("PRODUCT:UNITS"). Null if one is not a number of units of a product. */
function unitsIn({ form }: Action): Record<string, number> | null {
  const named = form.getAll("units").map((text) => text.split(":"));
  const isRead = named.every(
    ([id, units = ""]) => isId(id) && /^\d{1,2}$/.test(units) && Number(units) <= cartPolicy.maxLineQuantity,
  );
  return isRead ? Object.fromEntries(named.map(([id, units]) => [id, Number(units)])) : null;
}

async function create(action: Action<z.output<typeof schema>>) {
  const { formKey, from, reason, shippingAddressLine2, ...recipient } = action.value;
  const units = unitsIn(action);
  if (!units) return fieldError(action, "units", "Choose the quantities again");
  const gift = {
    formKey,
    fromOrderId: from || null,
    reason,
    units,
    recipient: {
      ...recipient,
      shippingAddressLine2: shippingAddressLine2 || null,
      termsVersion: termsVersion(),
    },
  };
  const result = await sendAtNoCharge(db, gift, action.by);
  if (result.ok) return redirect(`/admin/orders/${result.orderId}`, 303);
  if (result.reason === "nothing-chosen") return fieldError(action, "units", "Choose at least one product");
  return fieldError(action, "units", "There is not enough in stock anymore. Choose the quantities again", 409);
}

export const action = actions({ create: handle(schema, create, { lists: ["units"] }) });

export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

export default function NewOrder({ loaderData: { formKey, from, products } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Create free order">
        {from && (
          <Link to={`/admin/orders/${from.id}`} className="btn">
            {`Order ${from.number}`}
          </Link>
        )}
      </PageHead>
      <AdminForm
        intent="create"
        action={from ? `?intent=create&from=${from.id}` : "?intent=create"}
        className="grid max-w-xl gap-8"
      >
        <p className="max-w-prose text-ink-soft">
          A separate order that ships like any other. Its first email is the one with the tracking number.
        </p>
        <FormKey fresh={formKey} />
        <input type="hidden" name="from" value={from?.id ?? ""} />
        <Section title="Products">
          <Products products={products} />
        </Section>
        <Section title="Ship to">
          <AddressFields address={from?.address ?? {}} />
          <AdminText name="email" label="Email" type="email" defaultValue={from?.email} autoComplete="off" />
          <AdminText name="phone" label="Phone (optional)" type="tel" defaultValue={from?.phone} autoComplete="off" />
        </Section>
        <AdminSelect
          name="reason"
          label="Reason, for staff only"
          className="w-full max-w-sm"
          options={[["", "Choose"], ...Object.entries(GIFT_REASONS)]}
        />
        <Submit className="btn btn-primary justify-self-start">Place order</Submit>
      </AdminForm>
    </>
  );
}

function Products({ products }: Pick<Route.ComponentProps["loaderData"], "products">) {
  const [{ initialValue, errors, errorId }] = useField<string[]>("units");
  const typed = [initialValue ?? []].flat();
  if (products.length === 0) return <p className="text-ink-soft">Nothing is in stock.</p>;
  return (
    <>
      <FieldError id={errorId}>{errors?.[0]}</FieldError>
      <div className="grid gap-3 sm:grid-cols-2">
        {products.map(({ id, name, units }) => {
          const options = Array.from(
            { length: Math.min(units, cartPolicy.maxLineQuantity) + 1 },
            (_, n) => [`${id}:${n}`, String(n)] as const,
          );
          const chosen = options.find(([value]) => typed.includes(value))?.[0] ?? options[0]![0];
          return (
            <Control
              as="select"
              // React leaves a select as it is when only its default changes.
              key={`${id} ${chosen}`}
              name="units"
              label={name}
              hint={`${units} in stock`}
              defaultValue={chosen}
            >
              {optionList(options)}
            </Control>
          );
        })}
      </div>
    </>
  );
}
