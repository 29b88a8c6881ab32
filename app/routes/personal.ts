import { data } from "react-router";
import { db } from "../../db/connection.server.ts";
import { countCart } from "../../shop/cart/cart.server.ts";
import { readBuyer } from "../guest.server.ts";
import type { Personal } from "../ui/personal.tsx";
import type { Route } from "./+types/personal.ts";

/** What the header knows of its visitor: the one thing on a public page that is not the same for everyone. */
export async function loader({ request }: Route.LoaderArgs) {
  const personal: Personal = {
    cartCount: await countCart(db, readBuyer(request)),
    customer: null,
    wishlist: [],
  };
  return data(personal, { headers: { "Cache-Control": "private, no-store" } });
}
