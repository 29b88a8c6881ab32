import { data } from "react-router";

/** The page for this is the layout's, as for everything else that is not here. */
export function loader(): never {
  throw data(null, { status: 404 });
}

/** Inside the app nothing needs to be asked for. */
export function clientLoader(): never {
  throw data(null, { status: 404 });
}

export default function NotFound() {
  return null;
}
