/** The address at which password managers open the page to change a password. */
import { redirect } from "react-router";

export const loader = () => redirect("/account?tab=settings#password");
