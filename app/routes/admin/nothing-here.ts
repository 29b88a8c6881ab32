/** For an address that the back office does not have: the guard has refused it to whoever is no staff. */
import { data } from "react-router";

export function loader(): never {
  throw data(null, { status: 404 });
}

export default function NothingHere() {
  return null;
}
