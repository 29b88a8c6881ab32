/** The router's links, which load no page ahead offline: where a module fails to load, the router reloads the document. */
import { Link as RouterLink, NavLink as RouterNavLink, type LinkProps, type NavLinkProps } from "react-router";
import { useOffline } from "./offline.ts";

export function Link({ prefetch, ...props }: LinkProps) {
  return <RouterLink {...props} prefetch={useOffline() ? "none" : prefetch} />;
}

export function NavLink({ prefetch, ...props }: NavLinkProps) {
  return <RouterNavLink {...props} prefetch={useOffline() ? "none" : prefetch} />;
}
