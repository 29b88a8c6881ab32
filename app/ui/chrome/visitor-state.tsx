import { createContext, useContext, useEffect, useRef, type ReactNode } from "react";
import { useFetcher, useFetchers, useNavigation } from "react-router";
import { settleWaitlist } from "../../session/waitlist-memory.ts";
import { notify } from "../feedback/toast.ts";

export type Personal = {
  cartCount: number;
  customer: { firstName: string; emailVerified: boolean } | null;
  /** Ids of the products on the customer's wishlist. */
  wishlist: string[];
  /** A word that a redirect could not say itself. */
  notice: { name: string; title: string; description?: string; seconds?: number } | null;
};

/** Where the browser keeps the hearts that a guest pressed on home. */
export const HEARTS_KEY = "polara:hearts";

const nothing = { ready: false, cartCount: 0, customer: null, wishlist: [], notice: null };
const PersonalContext = createContext<Personal & { ready: boolean }>(nothing);

/** What is known of this visitor; `ready` once it has arrived, after hydration. */
export const usePersonal = () => useContext(PersonalContext);

/** Fetches the visitor's own state after hydration, and again after each write. */
export function PersonalProvider({ children }: { children: ReactNode }) {
  const { load, data } = useFetcher<Personal>({ key: "personal" });
  const fetchers = useFetchers();
  const navigation = useNavigation();
  const writing = [navigation, ...fetchers].some(({ formMethod }) => formMethod === "POST");
  const wasWriting = useRef(true);

  useEffect(() => {
    if (wasWriting.current && !writing) void load("/personal").catch(() => {});
    wasWriting.current = writing;
  }, [load, writing]);

  const notice = data?.notice;
  useEffect(() => {
    if (!notice) return;
    const { name, title, description, seconds } = notice;
    // Whoever has verified an email needs no invitation to the waitlist.
    if (name === "email-verified") settleWaitlist("joined");
    notify(title, description, seconds ? { duration: seconds * 1000 } : undefined);
  }, [notice]);

  // They join the wishlist as soon as there is one.
  const { submit } = useFetcher({ key: "join-hearts" });
  const isCustomer = Boolean(data?.customer);
  useEffect(() => {
    try {
      const hearts = isCustomer && localStorage.getItem(HEARTS_KEY);
      if (hearts) void submit({ hearts }, { method: "post", action: "/wishlist/join" });
    } catch {
      // A browser that keeps nothing has kept no hearts.
    }
  }, [isCustomer, submit]);

  return <PersonalContext value={data ? { ready: true, ...data } : nothing}>{children}</PersonalContext>;
}
