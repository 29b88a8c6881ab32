/** A product as shoppers would see it with what is typed and not saved. */
import { data } from "react-router";
import type { Route } from "./+types/preview.ts";

export const loader = () => {
  throw data(null, { status: 404 });
};

export async function action({ request }: Route.ActionArgs): Promise<Response> {
  return (await import("./preview.server.tsx")).preview(request);
}
