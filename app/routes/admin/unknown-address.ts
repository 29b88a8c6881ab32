/** Unknown addresses: staff get the 404 inside the layout. */
import { notFound } from "./guard.server.ts";

export function loader(): never {
  throw notFound();
}

export default function UnknownAddress() {
  return null;
}
