/** Which days, and whose visits. */
import { Form, useSearchParams } from "react-router";
import { SPANS, type Span } from "../../../../shop/numbers/steps.ts";
import { AdminSelect } from "../../../ui/admin/field.tsx";

type FilterProps = { days: Span; names: Record<"source" | "campaign", string[]> };

export function Filter({ days, names }: FilterProps) {
  const [query] = useSearchParams();
  return (
    <Form method="get" role="search" className="mb-6 flex flex-wrap items-end gap-3">
      <AdminSelect name="days" label="Time" defaultValue={days} className="w-36">
        {SPANS.map((span) => (
          <option key={span} value={span}>
            {span === 365 ? "A year" : `${span} days`}
          </option>
        ))}
      </AdminSelect>
      {(["source", "campaign"] as const).map((name) => (
        <AdminSelect
          key={name}
          name={name}
          label={name === "source" ? "Source" : "Campaign"}
          defaultValue={query.get(name) ?? ""}
          className="w-48"
        >
          <option value="">All</option>
          {names[name].map((each) => (
            <option key={each} value={each || "-"}>
              {each || "None"}
            </option>
          ))}
        </AdminSelect>
      ))}
      <button type="submit" className="act">
        Show
      </button>
    </Form>
  );
}
