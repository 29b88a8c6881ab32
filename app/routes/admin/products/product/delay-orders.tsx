import { counted } from "#shop/units.ts";
import { Form, Submit } from "#app/ui/form/form.tsx";
import { AdminCheckbox } from "#app/ui/admin/field.tsx";
import { Section } from "#app/ui/admin/page-head.tsx";
import { AdminTable, type Column } from "#app/ui/admin/table.tsx";
import { dayWords } from "#app/ui/admin/when.tsx";
import { DelayFields } from "../../orders/delay-fields.tsx";
import type { ShownPreview } from "./delay.server.ts";

export type DelayOrdersProps = {
  productId: string;
  /** The product's own ship day, if there is one and the role may change it. */
  shipsFrom: string;
  underWay: { until: string | null; orders: number } | null;
};

const orders = (count: number) => counted(count, "order");

export function DelayOrders({ productId, shipsFrom, underWay }: DelayOrdersProps) {
  return (
    <Section title="Delay orders">
      {underWay && (
        <p role="status">
          <span>{orders(underWay.orders)}</span> left to delay to{" "}
          <span>{underWay.until ? dayWords(underWay.until) : "an unknown day"}</span>.
        </p>
      )}
      <p className="max-w-prose text-ink-soft">
        For all orders of this product that have not shipped. Each customer is asked to keep or cancel the order. Orders
        that ship later already stay as they are.
      </p>
      <Form<Record<string, string>, ShownPreview>
        id={`delay-${productId}`}
        action="?intent=delay"
        messageAt="end"
        className="grid justify-items-start gap-3"
      >
        {({ result }) => (
          <>
            <DelayFields />
            {shipsFrom && (
              <AdminCheckbox
                name="movesShipDay"
                label={`Also show the new date in the store, instead of ${dayWords(shipsFrom)}`}
              />
            )}
            {result?.data && <Preview preview={result.data} />}
            <Submit className="btn">{result?.data?.orders ? `Delay ${orders(result.data.orders)}` : "Preview"}</Submit>
          </>
        )}
      </Form>
    </Section>
  );
}

const GROUPS: Column<ShownPreview["groups"][number]>[] = [
  { header: "Ship by", cell: ({ shipBy }) => (shipBy ? dayWords(shipBy) : "Not known") },
  { header: "Orders", cell: (group) => group.orders.toLocaleString("en-US"), isNumber: true },
  {
    header: "Without an answer",
    cell: ({ answerBy }) => (answerBy ? `Canceled after ${dayWords(answerBy)}` : "Kept"),
  },
];

function Preview({ preview: { groups, later, payAgain, confirms, email } }: { preview: ShownPreview }) {
  return (
    <div className="grid w-full gap-3 border-l-2 border-line pl-4">
      <input type="hidden" name="confirms" value={confirms} />
      <AdminTable
        label="Orders to delay"
        columns={GROUPS}
        rows={groups}
        rowKey={({ shipBy, answerBy }) => `${shipBy} ${answerBy}`}
        isGrid
        empty="No order would be delayed yet."
      />
      {later > 0 && <p className="text-ink-soft">{`Already later, and left as they are: ${orders(later)}.`}</p>}
      {payAgain > 0 && (
        <AdminCheckbox
          name="paysAgain"
          label={`Include ${orders(payAgain)} whose payment authorization ends first`}
          hint="Their customers will be asked to pay again. Without it, these orders stay as they are."
        />
      )}
      <details>
        <summary className="admin-link w-fit cursor-pointer py-2">Email to customers</summary>
        <p className="mt-2 font-medium">{email.subject}</p>
        <p className="mt-2 max-w-prose [overflow-wrap:anywhere] whitespace-pre-line text-ink-soft">{email.text}</p>
      </details>
    </div>
  );
}
