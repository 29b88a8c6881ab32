import { counted } from "#shop/units.ts";
import { useSearchParams } from "react-router";
import { unitsLeft } from "#shop/catalog/stock.ts";
import { Form, Submit } from "#app/ui/form/form.tsx";
import { AdminCheckbox, AdminForm, AdminText, optionList } from "#app/ui/admin/field.tsx";
import { AdminTable, filtersOf, type Column } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import type { Route } from "./+types/route.ts";

type InvitationsProps = Route.ComponentProps["loaderData"]["invitations"];

export function Invitations({ invitable, batches, opened, products, email }: InvitationsProps) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <h2>Invitations</h2>
      <Opened opened={opened} products={products} />
      <div className="grid gap-2">
        <h3 className="font-medium">2. Read the email</h3>
        {email ? (
          <details>
            <summary className="admin-link w-fit cursor-pointer">{email.subject}</summary>
            <p className="mt-2 max-w-prose wrap-anywhere whitespace-pre-line text-ink-soft">{email.text}</p>
          </details>
        ) : (
          <p className="text-ink-soft">It names the products, their prices and the day they open to everyone.</p>
        )}
      </div>
      <Invite invitable={invitable} opened={opened} />
      {batches.length > 0 && (
        <AdminTable label="Batches" columns={BATCHES} rows={batches} rowKey={({ batch }) => batch} isGrid />
      )}
    </section>
  );
}

function Opened({ opened, products }: Pick<InvitationsProps, "opened" | "products">) {
  const [query] = useSearchParams();
  return (
    <div className="grid gap-3">
      <h3 className="font-medium">1. Make a product waitlist-only</h3>
      {opened.length === 0 && (
        <p className="text-ink-soft">Until the date you set, only invited people can order it, one order each.</p>
      )}
      {opened.map((product) => (
        <p key={product.id}>
          <span className="font-medium">{product.name}</span> opens to everyone <When at={product.until} />
          <span>{`, ${unitsLeft(product).toLocaleString("en-US")} available.`}</span>
        </p>
      ))}
      <AdminForm intent="open" action={`?${filtersOf(query)}&intent=open`} className="grid gap-2">
        <div className="flex flex-wrap items-start gap-3">
          <AdminText
            name="slug"
            label="Product"
            hint="Its name or URL handle."
            list="reservable"
            autoComplete="off"
            className="w-full sm:w-64"
          />
          <datalist id="reservable">{optionList(products.map(({ slug, name }) => [slug, name]))}</datalist>
          <AdminText
            name="until"
            type="date"
            label="Waitlist-only until"
            hint="Leave empty to open it now."
            className="w-44"
          />
          <Submit className="btn sm:mt-6">Save</Submit>
        </div>
      </AdminForm>
    </div>
  );
}

function Invite({ invitable, opened }: Pick<InvitationsProps, "invitable" | "opened">) {
  const isOpened = opened.length > 0;
  const soldOut = opened.filter((product) => unitsLeft(product) === 0).map(({ name }) => name);
  const [query] = useSearchParams();
  const named = (["source", "campaign"] as const).flatMap((name) => {
    const value = query.get(name);
    return value ? [`${name} ${value === "-" ? "none" : value}`] : [];
  });
  const segment = named.length > 0 ? ` from ${named.join(" and ")}` : "";
  return (
    <Form<Record<string, string>, { people: number; soldOut: boolean }>
      id="invite"
      action={`?${filtersOf(query)}&intent=invite`}
      messageAt="end"
      className="grid gap-2"
    >
      {({ result }) => (
        <>
          <h3 className="font-medium">3. Invite people</h3>
          <p>
            {`${counted(invitable, "verified signup")}${segment} can be invited, in the order they joined. Each gets one email with a personal code and an unsubscribe link.`}
          </p>
          {(["source", "campaign"] as const).map((name) => (
            <input key={name} type="hidden" name={name} value={query.get(name) ?? ""} />
          ))}
          {soldOut.length > 0 && (
            <AdminCheckbox
              name="soldOut"
              label={`Invite anyway, with 0 available of ${soldOut.join(" and ")}`}
              isChecked={result?.data?.soldOut}
            />
          )}
          {result?.data && <input type="hidden" name="confirms" value={result.data.people} />}
          <div className="flex flex-wrap items-start gap-3">
            <AdminText
              name="size"
              label="Number of people"
              inputMode="numeric"
              maxLength={4}
              defaultValue={result?.data?.people}
              className="w-40"
            />
            <Submit className="btn btn-primary sm:mt-6" disabled={invitable === 0 || !isOpened}>
              {result?.data ? `Invite ${counted(result.data.people, "person", "people")}` : "Continue"}
            </Submit>
            {result?.data && <p className="text-ink-soft sm:mt-8">Emails can’t be taken back.</p>}
            {!isOpened && <p className="text-ink-soft sm:mt-8">No product is waitlist-only yet.</p>}
            {isOpened && invitable === 0 && <p className="text-ink-soft sm:mt-8">No one left to invite.</p>}
          </div>
        </>
      )}
    </Form>
  );
}

const BATCHES: Column<InvitationsProps["batches"][number]>[] = [
  { header: "Batch", cell: ({ batch }) => batch },
  { header: "Invited", cell: ({ createdAt }) => <When at={createdAt} /> },
  { header: "People", cell: ({ invited }) => invited, isNumber: true },
  { header: "Sent", cell: ({ sent }) => sent, isNumber: true },
  { header: "Ordered", cell: ({ ordered }) => ordered, isNumber: true },
];
