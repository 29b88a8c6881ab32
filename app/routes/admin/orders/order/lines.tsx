import { Link } from "react-router";
import { formatMoney } from "#shop/money.ts";
import { unitsKept } from "#shop/orders/order.ts";
import { Section, Status } from "#app/ui/admin/page-head.tsx";
import { AdminTable, type Column } from "#app/ui/admin/table.tsx";
import { dayWords } from "#app/ui/admin/when.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import type { OrderData } from "./load.server.ts";

type Line = OrderData["lines"][number];

const lineColumns = (sums: boolean): (Column<Line> | false)[] => [
  { header: "Qty", cell: unitsKept, isNumber: true },
  {
    header: "Item",
    className: "w-full",
    cell: ({ name, slug, thumbnail, productId, canceledQuantity, refunded, unitsReplaced, sentFor, waitsFor }) => (
      <span className="flex items-center gap-3 py-1">
        <Picture
          name={thumbnail ?? ""}
          alt=""
          sizes="36px"
          className="block size-9 shrink-0 [&_svg]:w-6"
          imgClassName="size-9 rounded-md object-cover"
        />
        <span>
          {slug ? (
            <Link to={`/admin/products/${productId}`} className="admin-link">
              {name}
            </Link>
          ) : (
            <span>{name}</span>
          )}
          {canceledQuantity > 0 && <span className="text-ink-soft">{`, ${canceledQuantity} canceled`}</span>}
          {unitsReplaced > 0 && <span className="text-ink-soft">{`, ${unitsReplaced} replaced`}</span>}
          {refunded > 0 && <span className="text-ink-soft">{`, ${refunded} refunded`}</span>}
          {slug && <span className="block text-ink-soft">{slug}</span>}
          {sentFor && <span className="block text-ink-soft">{`Sent for return ${sentFor}`}</span>}
          {waitsFor && <Status tone="soon">{`Pre-order, ships ${dayWords(waitsFor)}`}</Status>}
        </span>
      </span>
    ),
  },
  { header: "To ship", cell: ({ unitsLeft }) => unitsLeft, isNumber: true },
  sums && { header: "Price", cell: ({ priceCents = 0 }) => formatMoney(priceCents), isNumber: true },
  sums && {
    header: "Total",
    cell: ({ priceCents = 0, ...line }) => formatMoney(priceCents * unitsKept(line)),
    isNumber: true,
  },
];

export function Lines({ order: { lines, money } }: { order: OrderData }) {
  return (
    <Section title="Items" className="gap-2">
      <AdminTable
        label="Order items"
        columns={lineColumns(money !== undefined)}
        rows={lines}
        rowKey={({ id }) => id}
        isGrid
      />
    </Section>
  );
}
