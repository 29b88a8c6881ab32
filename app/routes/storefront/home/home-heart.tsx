import { useSyncExternalStore } from "react";
import { Heart } from "../../../ui/product/heart.tsx";
import { GUEST_WISHLIST_KEY, useVisitorState } from "../../../ui/chrome/visitor-state.tsx";
import { notify } from "../../../ui/feedback/toast.ts";

/** Home's heart keeps a guest's wish in this browser until it can join a wishlist. */
export function HomeHeart({ productId, productName }: { productId: string; productName: string }) {
  const { customer } = useVisitorState();
  const isIn = useGuestWishlist().includes(productId) && !customer;
  const toggle = () => {
    keepHeart(productId, !isIn);
    notify(isIn ? "Removed from wishlist" : "Added to wishlist");
  };
  return <Heart productId={productId} productName={productName} where="home" guest={{ isIn, toggle }} />;
}

const listeners = new Set<() => void>();
const none: string[] = [];
let read: { raw: string | null; ids: string[] } = { raw: null, ids: none };

function guestWishlist(): string[] {
  let raw: string | null = null;
  try {
    raw = localStorage.getItem(GUEST_WISHLIST_KEY);
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
  const others = guestWishlist().filter((id) => id !== productId);
  try {
    localStorage.setItem(GUEST_WISHLIST_KEY, JSON.stringify(keep ? [...others, productId] : others));
  } catch {
    // A browser that keeps nothing still shows the toast.
  }
  for (const listener of listeners) listener();
}

function useGuestWishlist(): string[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    guestWishlist,
    () => none,
  );
}
