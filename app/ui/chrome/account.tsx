/** The menus of those who are signed in. Most visitors are not, so their code comes when it is needed. */
import { lazy, Suspense, type ComponentType } from "react";
import { Link } from "react-router";

type Menus = typeof import("./account-menu.tsx");
type Menu = ComponentType<{ firstName: string }>;

function late(name: keyof Menus): Menu {
  const LateMenu = lazy<Menu>(() =>
    import("./account-menu.tsx").then(
      (menus) => ({ default: menus[name] }),
      () => ({ default: PlainLink }),
    ),
  );
  return ({ firstName }) => (
    <Suspense>
      <LateMenu firstName={firstName} />
    </Suspense>
  );
}

/** Where the menus cannot be loaded. */
const PlainLink = () => (
  <Link to="/account" className="flex min-h-11 items-center font-medium">
    Account
  </Link>
);

export const AccountMenu = late("AccountMenu");
export const AccountRows = late("AccountRows");
