/** Finds whatever begins like what was typed: for the box that Ctrl K opens, and as a page. */
import { data, Form } from "react-router";
import { NO_STORE, privateHeaders } from "../../../http/cache-headers.ts";
import { staffOf } from "../../../session/staff.server.ts";
import { AdminText } from "../../../ui/admin/field.tsx";
import { PageHead } from "../../../ui/admin/page-head.tsx";
import type { Route } from "./+types/route.ts";
import { findAll } from "./find.server.ts";
import { FoundList } from "./found.tsx";

export const headers = privateHeaders;

export async function loader({ request, context }: Route.LoaderArgs) {
  const typed = new URL(request.url).searchParams.get("q") ?? "";
  return data({ typed, found: await findAll(typed, staffOf(context).role) }, { headers: NO_STORE });
}

export default function FindScreen({ loaderData: { typed, found } }: Route.ComponentProps) {
  return (
    <div className="max-w-2xl">
      <PageHead title="Find" />
      <Form role="search" className="mb-3 flex items-end gap-2">
        <AdminText name="q" type="search" label="What begins with" defaultValue={typed} className="grow" />
        <button type="submit" className="act">
          Find
        </button>
      </Form>
      <FoundList typed={typed} found={found} />
    </div>
  );
}
