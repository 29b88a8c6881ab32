/** Who did what, the newest first. */
import { data, Form } from "react-router";
import { db } from "../../database.server.ts";
import { AUDIT_PAGE, listAudit } from "../../../shop/staff/audit.server.ts";
import { ROLE_WORDS } from "../../../shop/staff/roles.ts";
import { staffNames } from "../../../shop/staff/staff.server.ts";
import type { AuditValues } from "../../../shop/staff/staff.tables.ts";
import { NO_STORE, privateHeaders } from "../../http/cache-headers.ts";
import { AdminSelect } from "../../ui/admin/field.tsx";
import { EmptyList, PageHead } from "../../ui/admin/page-head.tsx";
import { Pager } from "../../ui/admin/pager.tsx";
import { When } from "../../ui/admin/when.tsx";
import { isId } from "./row-id.ts";
import type { Route } from "./+types/audit.ts";

export const headers = privateHeaders;

const KINDS = ["order", "product", "stock", "customer", "message", "waitlist", "staff", "session", "privacy"];

export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const staffId = searchParams.get("staff") ?? "";
  const kind = searchParams.get("kind") ?? "";
  const after = Number(searchParams.get("after"));
  const found = await listAudit(db, {
    staffId: isId(staffId) ? staffId : undefined,
    kind: KINDS.includes(kind) ? kind : undefined,
    subject: searchParams.get("subject") ?? undefined,
    before: Number.isSafeInteger(after) && after > 0 ? after : undefined,
  });
  const rows = found.slice(0, AUDIT_PAGE);
  const next = found.length > AUDIT_PAGE ? String(rows.at(-1)!.id) : null;
  return data({ rows, next, names: await staffNames(db), staffId, kind }, { headers: NO_STORE });
}

const words = (values: AuditValues | null) =>
  Object.entries(values ?? {})
    .map(([name, value]) => `${name}: ${value ?? "none"}`)
    .join(", ");

export default function AuditScreen({ loaderData: { rows, next, names, staffId, kind } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Audit" />
      <Form method="get" className="mb-4 flex flex-wrap items-end gap-3">
        <AdminSelect name="staff" label="Who" defaultValue={staffId} className="w-52">
          <option value="">Everybody</option>
          {names.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </AdminSelect>
        <AdminSelect name="kind" label="What" defaultValue={kind} className="w-40">
          <option value="">Everything</option>
          {KINDS.map((each) => (
            <option key={each} value={each}>
              {each.charAt(0).toUpperCase() + each.slice(1)}
            </option>
          ))}
        </AdminSelect>
        <button type="submit" className="act">
          Show
        </button>
      </Form>
      {rows.length === 0 && (
        <EmptyList>Nothing was done yet that fits. What staff do stands here from the moment they do it.</EmptyList>
      )}
      {rows.length > 0 && (
        <div className="admin-scroll">
          <table className="admin-table admin-cards">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Who</th>
                <th scope="col">Act</th>
                <th scope="col">To</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
                <th scope="col">From</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ id, at, name, role, action, subject, before, after, address }) => (
                <tr key={id}>
                  <td className="whitespace-nowrap">
                    <When at={at} />
                  </td>
                  <td className="whitespace-nowrap">
                    {name ?? "The shop"}
                    {role && <span className="text-ink-soft">, {ROLE_WORDS[role].name.toLowerCase()}</span>}
                  </td>
                  <td className="whitespace-nowrap">{action}</td>
                  <td className="max-w-60 truncate">
                    {subject && (
                      <a href={`?subject=${encodeURIComponent(subject)}`} className="admin-link">
                        {subject}
                      </a>
                    )}
                  </td>
                  <td {...(before && { "data-label": "Before" })}>{words(before)}</td>
                  <td {...(after && { "data-label": "After" })}>{words(after)}</td>
                  <td className="whitespace-nowrap text-ink-soft">{address}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager next={next} />
    </>
  );
}
