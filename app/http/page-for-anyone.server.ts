import { createContext } from "react-router";

/** Renders the page of a path as anyone sees it, within the request that asks. */
export const pageForAnyone = createContext<(path: string) => Promise<Response>>();
