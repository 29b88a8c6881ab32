/** Batches of invitations, and what they open. */
import { useSearchParams } from "react-router";
import type { Batch } from "../../../../shop/waitlist/desk-list.server.ts";
import type { EarlyProduct } from "../../../../shop/waitlist/waitlist-first.server.ts";
import { ActForm } from "../../../ui/admin/act-form.tsx";
import { AdminText } from "../../../ui/admin/field.tsx";
import { When } from "../../../ui/admin/when.tsx";
import { NONE } from "./filter.ts";

const PATH = "/admin/waitlist";

/** A product that may be kept. */
type Choice = { slug: string; name: string };

type InvitationsProps = { invitable: number; batches: Batch[]; opened: EarlyProduct[]; products: Choice[] };

export function Invitations({ invitable, batches, opened, products }: InvitationsProps) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <h2>Invite</h2>
      <Opened opened={opened} products={products} />
      <Invite invitable={invitable} isOpened={opened.length > 0} />
      {batches.length > 0 && <Batches batches={batches} />}
    </section>
  );
}

/** What an invitation opens. */
function Opened({ opened, products }: Pick<InvitationsProps, "opened" | "products">) {
  return (
    <div className="grid gap-3">
      {opened.length === 0 && (
        <p className="text-ink-soft">
          First keep a product for the waitlist: until the day you name only those who were invited can order it, one
          order each.
        </p>
      )}
      {opened.map(({ id, name, until }) => (
        <p key={id}>
          <span className="font-medium">{name}</span> opens to everybody <When at={until} />.
        </p>
      ))}
      <ActForm act="open" path={PATH} className="grid gap-2">
        <div className="flex flex-wrap items-start gap-3">
          <AdminText
            name="slug"
            label="Product"
            hint="Type a part of its name, and choose it."
            list="keepable"
            autoComplete="off"
            className="w-full sm:w-64"
          />
          <datalist id="keepable">
            {products.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </datalist>
          <AdminText
            name="until"
            type="date"
            label="For the waitlist until"
            hint="Empty opens it now."
            className="w-44"
          />
          <button type="submit" className="act sm:mt-6">
            Keep it
          </button>
        </div>
      </ActForm>
    </div>
  );
}

function Invite({ invitable, isOpened }: { invitable: number; isOpened: boolean }) {
  const [query] = useSearchParams();
  const named = (["source", "campaign"] as const).flatMap((name) => {
    const value = query.get(name);
    return value ? [`${name} ${value === NONE ? "none" : value}`] : [];
  });
  const whom = named.length > 0 ? `of ${named.join(" and ")} ` : "";
  return (
    <ActForm act="invite" path={PATH} className="grid gap-2">
      <p>
        {invitable.toLocaleString("en-US")} verified {whom}can be invited, those first who joined first. Each gets one
        email with a code of their own and a link to unsubscribe.
      </p>
      {(["source", "campaign"] as const).map((name) => (
        <input key={name} type="hidden" name={name} value={query.get(name) ?? ""} />
      ))}
      <div className="flex flex-wrap items-start gap-3">
        <AdminText name="size" label="How many" inputMode="numeric" maxLength={4} className="w-28" />
        <button type="submit" className="act act-next sm:mt-6" disabled={invitable === 0 || !isOpened}>
          Invite
        </button>
        {!isOpened && <p className="text-ink-soft sm:mt-8">Nothing is kept for the waitlist yet.</p>}
        {isOpened && invitable === 0 && <p className="text-ink-soft sm:mt-8">Nobody of them is left to invite.</p>}
      </div>
    </ActForm>
  );
}

function Batches({ batches }: { batches: Batch[] }) {
  return (
    <div className="admin-scroll">
      <table className="admin-table">
        <thead>
          <tr>
            <th scope="col">Batch</th>
            <th scope="col">Invited</th>
            {["People", "Sent", "Ordered"].map((label) => (
              <th key={label} scope="col" className="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {batches.map(({ batch, createdAt, invited, sent, ordered }) => (
            <tr key={batch}>
              <td>{batch}</td>
              <td>
                <When at={createdAt} />
              </td>
              <td className="number">{invited}</td>
              <td className="number">{sent}</td>
              <td className="number">{ordered}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
