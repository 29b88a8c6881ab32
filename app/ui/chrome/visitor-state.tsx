import { createContext, useCallback, useContext, useEffect, useMemo, useRef, type ReactNode } from "react";
import { useFetcher, useLocation } from "react-router";
import { dismissWaitlist, readGuestWishlist, store, storeGuestWishlist } from "./local-storage.ts";
import type { ActionResult } from "#app/ui/form/action-result.ts";
import { notify } from "#app/ui/feedback/toast.ts";
import type { ToastOptions } from "#app/ui/feedback/toaster.tsx";
import { clock } from "#shop/clock.ts";

export type VisitorState = {
  cartCount: number;
  hasFreeShipping: boolean;
  customer: { firstName: string; emailVerified: boolean } | null;
  wishlist: string[];
  /** May still order waitlist-first products by an invitation. */
  isInvited: boolean;
  flashMessage: {
    name: string;
    title: string;
    description?: string;
    seconds?: number;
    link?: ToastOptions["link"];
  } | null;
  /** The time of the server, in milliseconds. */
  now: number;
};

/** Local storage key that signals sign-in and sign-out to other tabs. */
const SIGNED_IN_KEY = "polara:signed-in";
const STALE_MS = 10_000;

const UNKNOWN: VisitorState = {
  cartCount: 0,
  hasFreeShipping: false,
  customer: null,
  wishlist: [],
  isInvited: false,
  flashMessage: null,
  now: 0,
};

type Known = VisitorState & {
  /** True once the state has loaded, after hydration. */
  ready: boolean;
};
const VisitorStateContext = createContext<Known | null>(null);

export function useVisitorState(): Known {
  const state = useContext(VisitorStateContext);
  if (!state) throw new Error("useVisitorState needs VisitorStateProvider around it.");
  return state;
}

/**
 * Loads the visitor's state after hydration, and again when it may have changed elsewhere. The router revalidates it
 * after each action.
 */
export function VisitorStateProvider({ children }: { children: ReactNode }) {
  const { data, load } = useFetcher<VisitorState>({ key: "visitor-state" });
  const { key: page } = useLocation();
  const loadedAt = useRef(0);
  const reload = useCallback(() => {
    loadedAt.current = clock.now().getTime();
    void load("/personal");
  }, [load]);

  useEffect(() => {
    if (clock.now().getTime() - loadedAt.current > STALE_MS) reload();
  }, [reload, page]);
  useEffect(() => {
    const stop = new AbortController();
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && reload(), stop);
    addEventListener("pageshow", (event) => event.persisted && reload(), stop);
    // Storage events fire in the other tabs only.
    addEventListener("storage", ({ key }) => key === SIGNED_IN_KEY && reload(), stop);
    return () => stop.abort();
  }, [reload]);
  const isReady = Boolean(data);
  const isCustomer = Boolean(data?.customer);
  useEffect(() => {
    if (isReady) store(SIGNED_IN_KEY, isCustomer ? "yes" : "no");
  }, [isReady, isCustomer]);

  const flashMessage = data?.flashMessage;
  useEffect(() => {
    if (!flashMessage) return;
    const { name, title, description, seconds, link } = flashMessage;
    // A verified email needs no waitlist popup.
    if (name === "email-verified") dismissWaitlist("joined");
    notify(title, description, { id: name, duration: seconds && seconds * 1000, link });
    fetch("/personal", { method: "POST", body: new URLSearchParams({ shown: name }), keepalive: true }).catch(() => {});
  }, [flashMessage]);

  useGuestWishlist(isCustomer);
  const known = useMemo(() => ({ ...(data ?? UNKNOWN), ready: isReady }), [data, isReady]);
  return <VisitorStateContext value={known}>{children}</VisitorStateContext>;
}

/** Merges a guest's wishlist into the customer's at sign-in. */
function useGuestWishlist(isCustomer: boolean): void {
  const { submit, data } = useFetcher<ActionResult>({ key: "join-wishlist" });
  useEffect(() => {
    if (data?.ok) storeGuestWishlist([]);
  }, [data]);
  useEffect(() => {
    const guestWishlist = isCustomer ? readGuestWishlist() : [];
    if (guestWishlist.length > 0)
      void submit({ guestWishlist: JSON.stringify(guestWishlist) }, { method: "post", action: "/wishlist/join" });
  }, [isCustomer, submit]);
}
