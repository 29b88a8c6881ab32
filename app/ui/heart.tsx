import { Heart as HeartIcon } from "lucide-react";
import { useSyncExternalStore } from "react";
import { usePersonal } from "./personal.tsx";
import { notify, notifyError } from "./toast.ts";

type HeartProps = { productId: string; productName: string; where: "home" | "card" | "panel" };

/** Puts a product on the wishlist, or takes it off. Guests can do so on the home page only (SPEC 8). */
export function Heart({ productId, productName, where }: HeartProps) {
  const { wishlist } = usePersonal();
  const keptHere = useKeptHearts().includes(productId);
  const isIn = wishlist.includes(productId) || (where === "home" && keptHere);

  const press = () => {
    if (where !== "home") {
      notifyError("You must be logged in to add items to wishlist");
      return;
    }
    keepHeart(productId, !keptHere);
    notify(keptHere ? "Removed from wishlist" : "Added to wishlist");
  };

  const icon = (
    <HeartIcon
      aria-hidden="true"
      size={20}
      strokeWidth={1.75}
      className={isIn ? "fill-saving text-saving" : "fill-transparent"}
    />
  );
  if (where === "panel") {
    return (
      <button type="button" className="button button-quiet px-4 text-[15px] whitespace-nowrap" onClick={press}>
        {icon}
        {isIn ? "In Wishlist" : "Add to Wishlist"}
      </button>
    );
  }
  return (
    <button type="button" className="icon-button bg-card/85" onClick={press}>
      {icon}
      <span className="sr-only">
        {isIn ? "In Wishlist" : "Add to Wishlist"}, {productName}
      </span>
    </button>
  );
}

const KEY = "polara:hearts";
const listeners = new Set<() => void>();
const none: string[] = [];
let read: { raw: string | null; ids: string[] } = { raw: null, ids: none };

/** A guest's hearts, kept in this browser until they can join a wishlist. */
function keptHearts(): string[] {
  let raw: string | null = null;
  try {
    raw = localStorage.getItem(KEY);
    if (raw !== read.raw) {
      const value: unknown = JSON.parse(raw ?? "[]");
      read = { raw, ids: Array.isArray(value) ? value.filter((id) => typeof id === "string") : none };
    }
  } catch {
    read = { raw, ids: none };
  }
  return read.ids;
}

function keepHeart(productId: string, keep: boolean) {
  const others = keptHearts().filter((id) => id !== productId);
  try {
    localStorage.setItem(KEY, JSON.stringify(keep ? [...others, productId] : others));
  } catch {
    // A browser that keeps nothing still shows the toast.
  }
  for (const listener of listeners) listener();
}

function useKeptHearts(): string[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    keptHearts,
    () => none,
  );
}
