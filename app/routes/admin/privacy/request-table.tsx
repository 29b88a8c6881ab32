/** Requests, one a row, with the clock of each. */
import { Link } from "react-router";
import {
  KIND_WORDS,
  LAW_NAMES,
  urgency,
  type RequestKind,
  type RequestLaw,
  type RequestState,
} from "../../../../shop/privacy/request.ts";
import { Status } from "../../../ui/admin/status.tsx";
import { When } from "../../../ui/admin/when.tsx";

export type Clock = { state: RequestState; dueAt: Date };

/** What a request's clock says. */
export function RequestStatus({ state, dueAt, now }: Clock & { now: Date }) {
  if (state !== "open")
    return <Status tone={state === "done" ? "done" : "quiet"}>{state === "done" ? "Answered" : "Refused"}</Status>;
  const tone = urgency(dueAt, now);
  return <Status tone={tone}>{tone === "late" ? "Overdue" : tone === "soon" ? "Due soon" : "Open"}</Status>;
}

type Row = Clock & {
  id: string;
  kind: RequestKind;
  law: RequestLaw;
  email: string | null;
  receivedAt: Date;
  closedAt: Date | null;
  staffName: string | null;
};

export function RequestTable({ requests, now }: { requests: Row[]; now: Date }) {
  const isOpen = requests[0]?.state === "open";
  return (
    <div className="admin-scroll">
      <table className="admin-table admin-cards">
        <thead>
          <tr>
            <th scope="col">Request</th>
            <th scope="col">From</th>
            <th scope="col">Status</th>
            <th scope="col">{isOpen ? "Due" : "Answered"}</th>
            <th scope="col">Law</th>
            <th scope="col">Came</th>
            <th scope="col">Whose</th>
          </tr>
        </thead>
        <tbody>
          {requests.map(({ id, kind, law, email, state, dueAt, receivedAt, closedAt, staffName }) => (
            <tr key={id}>
              <td className="whitespace-nowrap">
                <Link to={`/admin/privacy/${id}`} className="admin-link">
                  {KIND_WORDS[kind]}
                </Link>
              </td>
              <td className="max-w-64 truncate">{email ?? <span className="text-ink-soft">Erased</span>}</td>
              <td>
                <RequestStatus {...{ state, dueAt, now }} />
              </td>
              <td className="whitespace-nowrap" data-label={isOpen ? "Due" : "Answered"}>
                <When at={closedAt ?? dueAt} />
              </td>
              <td>{LAW_NAMES[law]}</td>
              <td className="whitespace-nowrap" data-label="Came">
                <When at={receivedAt} />
              </td>
              <td className="max-w-36 truncate" data-label="Whose">
                {staffName ?? <span className="text-ink-soft">Nobody</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
