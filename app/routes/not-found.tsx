import { data } from "react-router";
import { privateMeta } from "../page-meta.ts";

export { NotFound as default } from "../ui/not-found.tsx";

export const loader = () => data(null, { status: 404 });

/** Inside the app nothing needs to be asked for: there is nothing to load. */
export const clientLoader = () => null;

export const meta = () => privateMeta("Page not found");
