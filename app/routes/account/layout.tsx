/** Pages of private things: left as soon as their session has ended, here or in another tab. */
import { Outlet } from "react-router";
import { useLeaveWhenSignedOut } from "../../session/leave-when-signed-out.ts";

export default function AccountLayout() {
  useLeaveWhenSignedOut();
  return <Outlet />;
}
