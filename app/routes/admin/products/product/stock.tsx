/** The units of a product, and every move that made them. */
import { MOVE_REASONS, MOVE_WORDS, type MoveReason } from "../../../../../shop/inventory/move-reasons.ts";
import { ActForm } from "../../../../ui/admin/act-form.tsx";
import { AdminSelect, AdminText } from "../../../../ui/admin/field.tsx";
import { EmptyList } from "../../../../ui/admin/page-head.tsx";
import { When } from "../../../../ui/admin/when.tsx";
import { ScrollRegion } from "../../../../ui/admin/scroll-region.tsx";

type Move = { id: number; at: Date; delta: number; reason: MoveReason; note: string | null; by: string | null };
export type StockProps = {
  path: string;
  units: number;
  /** Sold, and still on the shelf. */
  unsent: number;
  moves: Move[];
  formKey: string;
  mayMove: boolean;
};

const signed = (delta: number) => `${delta > 0 ? "+" : delta < 0 ? "−" : ""}${Math.abs(delta).toLocaleString("en-US")}`;

export function Stock({ path, units, unsent, moves, formKey, mayMove }: StockProps) {
  return (
    <section aria-labelledby="stock" className="grid gap-5">
      <div className="grid gap-1">
        <h2 id="stock">Stock</h2>
        <p className="text-[22px] leading-7 font-semibold tabular-nums">{units.toLocaleString("en-US")} to sell</p>
        <p className="text-ink-soft tabular-nums">
          {unsent.toLocaleString("en-US")} sold and not yet sent, so {(units + unsent).toLocaleString("en-US")} lie on
          the shelf
        </p>
      </div>
      {mayMove && <Moves path={path} formKey={formKey} />}
      <div>
        <h3 className="font-semibold">What moved it</h3>
        {moves.length === 0 && <EmptyList>Nothing yet. Count the shelf, and it begins here.</EmptyList>}
        {moves.length > 0 && (
          <ScrollRegion label="What moved it">
            <table className="admin-table">
              <thead>
                <tr>
                  <th scope="col" className="number">
                    Units
                  </th>
                  <th scope="col">Why</th>
                  <th scope="col">Who</th>
                  <th scope="col">When</th>
                </tr>
              </thead>
              <tbody>
                {moves.map(({ id, at, delta, reason, note, by }) => (
                  <tr key={id}>
                    <td className="number font-medium">{signed(delta)}</td>
                    <td>
                      <span className="block first-letter:uppercase">{reason}</span>
                      {note && <span className="text-ink-soft">{note}</span>}
                    </td>
                    <td className="whitespace-nowrap">{by ?? "The shop"}</td>
                    <td className="whitespace-nowrap">
                      <When at={at} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        )}
      </div>
    </section>
  );
}

function Moves({ path, formKey }: { path: string; formKey: string }) {
  return (
    <div className="grid gap-5">
      <ActForm act="move" path={path} rowKey="count" clears className="grid gap-2">
        <input type="hidden" name="formKey" value={formKey} />
        <div className="grid grid-cols-[110px_1fr_auto] items-start gap-2">
          <AdminText name="counted" label="Counted" inputMode="numeric" autoComplete="off" />
          <AdminText name="note" label="Note" maxLength={200} autoComplete="off" />
          <button type="submit" className="act mt-6">
            Count the shelf
          </button>
        </div>
      </ActForm>
      <ActForm act="move" path={path} rowKey="units" clears className="grid gap-2">
        <input type="hidden" name="formKey" value={formKey} />
        <AdminSelect name="reason" label="Or what happened" defaultValue="received">
          {MOVE_REASONS.filter((reason) => reason !== "counted").map((reason) => (
            <option key={reason} value={reason}>
              {MOVE_WORDS[reason]}
            </option>
          ))}
        </AdminSelect>
        <div className="grid grid-cols-[110px_1fr_auto] items-start gap-2">
          <AdminText name="units" label="Units" inputMode="numeric" autoComplete="off" />
          <AdminText name="note" label="Note" maxLength={200} autoComplete="off" />
          <button type="submit" className="act mt-6">
            Move
          </button>
        </div>
        <p className="text-ink-soft">Damaged units leave by themselves. A correction takes a sign: −3 or 3.</p>
      </ActForm>
    </div>
  );
}
