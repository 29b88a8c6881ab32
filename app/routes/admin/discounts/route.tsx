import { useField } from "@conform-to/react";
import { listProductNames } from "#shop/catalog/back-office/product-list.server.ts";
import { discountWords } from "#shop/discounts/discount.ts";
import { bundleSchema, codeSchema } from "#shop/discounts/discount-form.ts";
import { createBundle, createCode, endDiscount, listDiscounts } from "#shop/discounts/manage.server.ts";
import { formatMoney } from "#shop/money.ts";
import { may } from "#shop/staff/permissions.ts";
import { z } from "#shop/zod.ts";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { done, refused } from "#app/http/form.server.ts";
import { staffOf } from "#app/session/staff.server.ts";
import { FoldedForm } from "#app/ui/admin/folded-form.tsx";
import { AdminCheckbox, AdminText, FieldError } from "#app/ui/admin/field.tsx";
import { PageHead, Status } from "#app/ui/admin/page-head.tsx";
import { AdminTable, type Column } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import { type Action, actions, fieldError, handle } from "../action.server.ts";
import { isId } from "../guard.server.ts";
import type { Route } from "./+types/route.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const [discounts, products] = await Promise.all([listDiscounts(db), listProductNames(db)]);
  const names = new Map(products.map(({ id, name }) => [id, name]));
  return {
    discounts: discounts.map(({ id, code, name, startsAt, endsAt, maxUses, state, uses, salesCents, ...rest }) => ({
      id,
      name,
      words: discountWords({ code, name, ...rest }, names),
      link: code && `${config().baseUrl}/discount/${code}`,
      startsAt,
      /** Its end is the midnight after the last day, or when staff ended it. */
      lastDay: endsAt && new Date(endsAt.getTime() - 1),
      uses: maxUses === null ? String(uses) : `${uses} of ${maxUses}`,
      salesCents,
      state,
    })),
    products,
    mayEdit: may(staffOf(context).role, "discounts:edit"),
  };
}

const chosen = (action: Action, list: string): string[] => action.form.getAll(list).filter(isId);

export const action = actions({
  code: handle(
    codeSchema,
    async (action) => {
      const isMade = await createCode(db, action.by, { ...action.value, productIds: chosen(action, "products") });
      if (!isMade) return fieldError(action, "discountCode", "There is a code of this name already", 409);
      return done(action, `${action.value.code} is ready.`, { clears: true });
    },
    { lists: ["products"] },
  ),
  bundle: handle(
    bundleSchema,
    async (action) => {
      const [first, second] = [chosen(action, "first"), chosen(action, "second")];
      if (first.length === 0) return fieldError(action, "first", "Choose at least one product");
      if (second.length === 0) return fieldError(action, "second", "Choose at least one product");
      if (first.some((id) => second.includes(id)))
        return fieldError(action, "second", "A product can be in one part only");
      await createBundle(db, action.by, { ...action.value, first, second });
      return done(action, `${action.value.name} now applies by itself.`, { clears: true });
    },
    { lists: ["first", "second"] },
  ),
  end: handle(z.object({ id: z.uuid() }), async (action) =>
    (await endDiscount(db, action.by, action.value.id))
      ? done(action, "Ended. Orders that have it keep it.")
      : refused(action, "It had ended already."),
  ),
});

export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

type Props = Route.ComponentProps["loaderData"];
type Row = Props["discounts"][number];

const STATES = {
  active: { tone: "open", label: "Active" },
  scheduled: { tone: "soon", label: "Scheduled" },
  ended: { tone: "quiet", label: "Ended" },
} as const;

const COLUMNS: Column<Row>[] = [
  { header: "Discount", cell: ({ name }) => name, className: "!font-medium" },
  { header: "Gives", cell: ({ words }) => words, phone: "label", className: "sm:max-w-96" },
  {
    header: "Status",
    cell: ({ state, startsAt, lastDay }) => (
      <>
        <Status tone={STATES[state].tone}>{STATES[state].label}</Status>{" "}
        {startsAt && state === "scheduled" && (
          <span>
            from <When at={startsAt} isDay />{" "}
          </span>
        )}
        {lastDay && (
          <span>
            {state !== "ended" && "until "}
            <When at={lastDay} isDay />
          </span>
        )}
      </>
    ),
  },
  { header: "Orders", cell: ({ uses }) => uses, isNumber: true, phone: "fact" },
  { header: "Sales", cell: ({ salesCents }) => formatMoney(salesCents), isNumber: true, phone: "fact" },
  { header: "Link", cell: ({ link }) => link, phone: "label", at: "wide", className: "select-all" },
];

const END: Column<Row> = {
  header: "End",
  // The form stays, so that it can show its result.
  cell: ({ id, name, state }) => (
    <FoldedForm intent="end" of={id} label="End">
      {state !== "ended" && (
        <>
          <input type="hidden" name="id" value={id} />
          <p className="w-28 text-ink-soft">Orders that have it keep it. It can’t begin again.</p>
          <Submit className="btn btn-danger">
            Yes, end it<span className="sr-only">{`: ${name}`}</span>
          </Submit>
        </>
      )}
    </FoldedForm>
  ),
};

export default function DiscountsScreen({ loaderData: { discounts, products, mayEdit } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Discounts" />
      {mayEdit && (
        <div className="mb-8 flex flex-wrap items-start gap-3 [&>form:has([open])]:basis-full">
          <NewCode products={products} />
          <NewBundle products={products} />
        </div>
      )}
      <AdminTable
        label="Discounts"
        columns={mayEdit ? [...COLUMNS, END] : COLUMNS}
        rows={discounts}
        rowKey={({ id }) => id}
        empty="No discounts yet. A code is entered in the cart or comes with a link; a bundle applies by itself."
      />
    </>
  );
}

function NewCode({ products }: Pick<Props, "products">) {
  return (
    <FoldedForm intent="code" label="New code" style="btn btn-primary">
      <div className="grid gap-4 sm:grid-cols-2">
        <AdminText name="discountCode" label="Code" maxLength={30} autoComplete="off" className="[&_input]:uppercase" />
        <AdminText name="off" label="Off the price" hint="10% or $10.00." maxLength={12} />
        <AdminText
          name="minimum"
          label="Minimum order"
          hint="In dollars. Optional."
          inputMode="decimal"
          maxLength={10}
        />
        <AdminText
          name="maxUses"
          label="Number of orders"
          hint="Leave empty for any number."
          inputMode="numeric"
          maxLength={6}
        />
        <Days />
      </div>
      <AdminCheckbox name="freeShipping" label="Free shipping by the cheapest method, instead of a lower price" />
      <AdminCheckbox name="once" label="Once per customer" hint="By email address, for guests too." />
      <Products name="products" label="Only these products" hint="None for all." products={products} />
      <Submit className="btn btn-primary">Create code</Submit>
    </FoldedForm>
  );
}

function NewBundle({ products }: Pick<Props, "products">) {
  return (
    <FoldedForm intent="bundle" label="New bundle">
      <div className="grid gap-4 sm:grid-cols-2">
        <AdminText name="name" label="Name" hint="In the totals, such as A bowl and two filters." maxLength={60} />
        <AdminText name="amount" label="Amount off each bundle" hint="In dollars." inputMode="decimal" maxLength={10} />
        <Days />
      </div>
      {(["first", "second"] as const).map((part, place) => (
        <div key={part} className="grid justify-items-start gap-2">
          <AdminText
            name={`${part}Units`}
            label={place === 0 ? "Units of the first part" : "Units of the second part"}
            inputMode="numeric"
            defaultValue={place === 0 ? "1" : "2"}
            maxLength={2}
            className="w-48"
          />
          <Products name={part} label="Any of these products" products={products} />
        </div>
      ))}
      <Submit className="btn btn-primary">Create bundle</Submit>
    </FoldedForm>
  );
}

const Days = () => (
  <>
    <AdminText name="startsOn" type="date" label="First day" hint="Optional." />
    <AdminText name="endsOn" type="date" label="Last day" hint="Optional." />
  </>
);

type ProductsProps = { name: string; label: string; hint?: string } & Pick<Props, "products">;

function Products({ name, label, hint, products }: ProductsProps) {
  const [field] = useField<string[]>(name);
  const ticked = [field.initialValue ?? []].flat();
  return (
    <fieldset aria-describedby={field.errors ? `${field.id}-error` : undefined}>
      <legend className="font-medium">{label}</legend>
      {hint && <p className="text-ink-soft">{hint}</p>}
      <div className="mt-1 grid gap-x-6 sm:grid-cols-2">
        {products.map(({ id, name: product }) => (
          <label key={id} className="flex min-h-9 items-center gap-2.5 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              name={name}
              value={id}
              defaultChecked={ticked.includes(id)}
              className="size-4.5 shrink-0 accent-leaf"
            />
            <span>{product}</span>
          </label>
        ))}
      </div>
      <FieldError id={`${field.id}-error`}>{field.errors?.[0]}</FieldError>
    </fieldset>
  );
}
