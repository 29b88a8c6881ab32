/** Emails that were given up, to send again or remove. */
import { counted } from "#shop/units.ts";
import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import { endFailedEmails, listFailedEmails, type FailedEmail } from "#shop/mail/failed-emails.server.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { done, refused } from "#app/http/form.server.ts";
import { AdminForm } from "#app/ui/admin/field.tsx";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import { AdminTable, countLabel, type Column } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import { actions, handle } from "../action.server.ts";
import { isId } from "../guard.server.ts";
import type { Route } from "./+types/route.ts";

const LISTED = 200;

export async function loader() {
  return { rows: await listFailedEmails(db, LISTED) };
}

/** Ends the selected emails; those of the `page` are sent again if none is selected. */
const end = (isResent: boolean, word: string) =>
  handle(
    z.object({ page: z.string().default("") }),
    async (action) => {
      const selected = action.form.getAll("id").filter(isId);
      const ids = selected.length === 0 && isResent ? action.value.page.split(",").filter(isId) : selected;
      if (ids.length === 0) return refused(action, "Select the emails first.");
      const count = await endFailedEmails(db, action.by, { ids, isResent });
      // An email that others removed is removed; one that they sent again is not sent twice.
      if (count === 0 && isResent) return refused(action, "These emails are no longer in the list.");
      if (count === 0) return done(action, "Already removed.", { clears: true });
      return done(action, `${counted(count, "email")} ${word}.`, { clears: true });
    },
    { lists: ["id"] },
  );

export const action = actions({ "send-again": end(true, "sent again"), remove: end(false, "removed") });
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

const COLUMNS: Column<FailedEmail>[] = [
  { header: "Email", cell: ({ template }) => template.replaceAll("-", " "), className: "font-medium" },
  {
    header: "About",
    cell: ({ orderId, to }) => (orderId ? `Order ${orderNumber(orderId)}` : to),
    className: "max-w-72 truncate",
  },
  { header: "Error", cell: ({ error }) => error, phone: "label" },
  { header: "Failed", cell: ({ at }) => <When at={at} /> },
];

export default function FailedEmailsScreen({ loaderData: { rows } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Failed emails" note={countLabel(rows.length, rows.length >= LISTED)} />
      <AdminForm intent="send-again" className="grid gap-4">
        <AdminTable
          label="Failed emails"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ id }) => id}
          selection={{
            name: "id",
            label: ({ template, at }) => `Select ${template} of ${at.toISOString()}`,
            bar: (
              <>
                <Submit className="btn btn-primary">Send again</Submit>
                <Submit formAction="?intent=remove" className="btn">
                  Remove
                </Submit>
              </>
            ),
          }}
          empty="No failed emails. An email is tried for two days; one that still fails appears here for a week."
        />
        {rows.length > 0 && (
          <>
            <input type="hidden" name="page" value={rows.map(({ id }) => id).join()} />
            <Submit className="btn justify-self-start">Send all again</Submit>
          </>
        )}
      </AdminForm>
    </>
  );
}
