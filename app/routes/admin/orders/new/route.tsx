/** An order that staff place: for a customer on the phone, for somebody new, or at no charge. */
import { Form as SearchForm, Link } from "react-router";
import { GIFT_REASONS } from "#shop/orders/reasons.ts";
import { ARRANGEMENTS } from "#shop/payments/arrangement.ts";
import { AdminCheckbox, AdminForm, AdminSelect, AdminText, Control } from "#app/ui/admin/field.tsx";
import { FormKey } from "#app/ui/admin/form-key.tsx";
import { PageHead, Section } from "#app/ui/admin/page-head.tsx";
import { ActionMessage, Submit } from "#app/ui/form/form.tsx";
import { OrderSums } from "#app/ui/order/order-sums.tsx";
import { actions, handle } from "../../action.server.ts";
import { AddressFields } from "../order/address-fields.tsx";
import type { Route } from "./+types/route.ts";
import { create, type Review, schema } from "./create.server.ts";
import { PAYMENTS } from "./fields.ts";
import { Lines } from "./lines.tsx";
import { loadNewOrder } from "./load.server.ts";

export const loader = ({ request, context }: Route.LoaderArgs) => loadNewOrder(request, context);

export const action = actions({ create: handle(schema, create) });

export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../../revalidate.ts";

type Data = Route.ComponentProps["loaderData"];

export default function NewOrder({ loaderData }: Route.ComponentProps) {
  const { formKey, person, products, methods, usual, may } = loaderData;
  const order = person?.order;
  const query = order ? `&from=${order.id}` : person ? `&${new URLSearchParams({ email: person.email })}` : "";
  return (
    <>
      <PageHead title="Create order">
        {order && (
          <Link to={`/admin/orders/${order.id}`} className="btn">
            {`Order ${order.number}`}
          </Link>
        )}
      </PageHead>
      <FindCustomer {...loaderData} />
      <AdminForm intent="create" action={`?intent=create${query}`} messageAt="none" className="grid max-w-5xl gap-8">
        {({ result }) => {
          const review = result?.data as Review | undefined;
          return (
            <>
              <FormKey fresh={formKey} />
              <Section title="Products">
                <Lines products={products} mayDiscount={may.discount} />
              </Section>
              <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-2">
                <Section title="Ship to" key={query}>
                  <div className="grid w-full max-w-xl grid-cols-2 gap-3">
                    <AdminText
                      name="email"
                      label="Email"
                      type="email"
                      defaultValue={person?.email}
                      autoComplete="off"
                    />
                    <AdminText name="phone" label="Phone" type="tel" defaultValue={person?.phone} autoComplete="off" />
                  </div>
                  <AddressFields address={person?.address ?? {}} />
                </Section>
                <div className="grid gap-8">
                  <Section title="Shipping and discount">
                    <AdminSelect
                      name="shippingMethod"
                      label="Shipping"
                      defaultValue={usual}
                      options={methods}
                      className="w-full max-w-sm"
                    />
                    {may.discount && (
                      <>
                        <AdminCheckbox name="freeShipping" label="Free shipping" />
                        <div className="grid max-w-sm grid-cols-[8rem_1fr] gap-3">
                          <AdminText name="discount" label="Discount" inputMode="decimal" placeholder="0.00" />
                          <AdminText name="reason" label="Reason" hint="The customer reads it." maxLength={60} />
                        </div>
                      </>
                    )}
                  </Section>
                  <Payment may={may} />
                  {review && <Total {...review} message={result?.message} />}
                  {!review && result && <ActionMessage result={result} />}
                  <Submit className="btn btn-primary justify-self-start">
                    {review ? "Create order" : "Show total"}
                  </Submit>
                </div>
              </div>
            </>
          );
        }}
      </AdminForm>
    </>
  );
}

function Total({ amounts, lines, message }: Review & { message: string | undefined }) {
  return (
    <section aria-label="Total" className="grid w-full max-w-sm gap-3">
      <ul>
        {lines.map(({ name, quantity }) => (
          <li key={name}>{`${quantity} × ${name}`}</li>
        ))}
      </ul>
      <OrderSums order="placed" totals={amounts} />
      <input type="hidden" name="seenTotal" value={amounts.totalCents} />
      <p role="status">{message}</p>
    </section>
  );
}

/** The fields below keep their text, as long as the browser runs scripts. */
function FindCustomer({ person, asked, found }: Pick<Data, "person" | "asked" | "found">) {
  return (
    <div className="mb-8 grid gap-2">
      <SearchForm method="get" role="search" className="flex max-w-xl items-end gap-2">
        <Control
          as="input"
          type="search"
          name="q"
          label="Customer"
          defaultValue={asked}
          placeholder="Email or name, or fill in someone new below"
          autoComplete="off"
          maxLength={100}
          className="grow"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first thing that is asked on the phone.
          autoFocus={!person}
        />
        <button type="submit" className="btn">
          Find
        </button>
      </SearchForm>
      {found && (
        <ul aria-label="Customers found" className="max-w-xl">
          {found.length === 0 && <li className="text-ink-soft">No one matches. Fill in someone new below.</li>}
          {found.map(({ email, name, query }) => (
            <li key={email} className="border-t border-line py-2">
              <Link to={`?${query}`} className="admin-link">
                {name}
              </Link>
              <span className="text-ink-soft">{` ${email}`}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const CHOOSE = ["", "Choose"] as const;

/** Fields of the other ways to pay are hidden by the choice itself, also without scripts. */
function Payment({ may }: Pick<Data, "may">) {
  const ways = Object.entries(PAYMENTS).filter(([way]) => way === "arranged" || may[way as "link" | "nothing"]);
  return (
    <Section title="Payment" className="group gap-3">
      <AdminSelect
        name="payment"
        label="How it is paid"
        hint={may.link ? "The link reserves the products for 3 days." : undefined}
        options={ways}
        className="w-full max-w-sm"
      />
      <div className="hidden max-w-sm grid-cols-2 gap-3 group-has-[[value=arranged]:checked]:grid">
        <AdminSelect name="how" label="Paid by" options={[CHOOSE, ...Object.entries(ARRANGEMENTS)]} />
        <AdminText name="reference" label="Reference" hint="Such as the check number." autoComplete="off" />
      </div>
      <div className="hidden max-w-sm group-has-[[value=nothing]:checked]:grid">
        <AdminSelect name="gift" label="Reason, for staff only" options={[CHOOSE, ...Object.entries(GIFT_REASONS)]} />
      </div>
    </Section>
  );
}
