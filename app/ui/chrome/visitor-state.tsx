import {
  createContext,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react";
import { useFetcher, useFetchers, useLocation, useNavigation, type Navigation } from "react-router";
import { settleWaitlist } from "./waitlist-memory.ts";
import { notify } from "../feedback/toast.ts";

export type VisitorState = {
  cartCount: number;
  customer: { firstName: string; emailVerified: boolean } | null;
  /** Ids of the products on the customer's wishlist. */
  wishlist: string[];
  /** What a redirect could not say itself. */
  flashMessage: { name: string; title: string; description?: string; seconds?: number } | null;
};

/** Where the browser keeps the wishlist of a guest. */
export const GUEST_WISHLIST_KEY = "polara:hearts";

/** Whether a customer was here last. */
const SIGNED_IN_KEY = "polara:signed-in";
const STALE_MS = 10_000;

const UNKNOWN: VisitorState = { cartCount: 0, customer: null, wishlist: [], flashMessage: null };

type Known = VisitorState & {
  /** Once it has arrived, after hydration. */
  ready: boolean;
  /** Says what a write that is under way will make of the wishlist. The shop's answer replaces it. */
  wish: (productId: string, isIn: boolean) => void;
};
const VisitorStateContext = createContext<Known | null>(null);

/** What is known of this visitor. */
export function useVisitorState(): Known {
  const state = useContext(VisitorStateContext);
  if (!state) throw new Error("useVisitorState needs VisitorStateProvider around it.");
  return state;
}

const isSubmitting = ({ formMethod, state }: Pick<Navigation, "formMethod" | "state">) =>
  formMethod === "POST" && state === "submitting";

async function fetchVisitorState(signal: AbortSignal): Promise<VisitorState> {
  const response = await fetch("/personal", { signal });
  if (!response.ok) throw new Error(`The visitor's state was answered with ${response.status}.`);
  return (await response.json()) as VisitorState;
}

/**
 * Fetches the visitor's own state after hydration, after each write, and whenever it may have changed elsewhere. Not by a
 * fetcher of the router: with each of its steps all of the page would be rendered again.
 */
export function VisitorStateProvider({ children }: { children: ReactNode }) {
  const [data, setData] = useState<VisitorState>();
  const fetchers = useFetchers();
  const navigation = useNavigation();
  const { key: page } = useLocation();
  const isWriting =
    isSubmitting(navigation) ||
    // One without data leads to another page, which may be a document: the next page asks, not this one.
    fetchers.some((write) => isSubmitting(write) || (write.formMethod === "POST" && write.data === undefined));
  const wasWriting = useRef(true);
  const askedAt = useRef(0);
  const asking = useRef<AbortController>(undefined);
  const ask = useCallback(() => {
    askedAt.current = Date.now();
    asking.current?.abort();
    asking.current = new AbortController();
    const { signal } = asking.current;
    // In a task of its own: what a page does once it is hydrated takes long enough.
    setTimeout(() => {
      fetchVisitorState(signal)
        .then((state) => signal.aborted || startTransition(() => setData(state)))
        // What was known stays, and the next page asks again.
        .catch(() => {});
    });
  }, []);
  useEffect(() => () => asking.current?.abort(), []);

  useEffect(() => {
    if (wasWriting.current && !isWriting) ask();
    wasWriting.current = isWriting;
  }, [ask, isWriting]);

  // Another tab may have signed in or out meanwhile, or the session may have ended.
  useEffect(() => {
    if (askedAt.current > 0 && Date.now() - askedAt.current > STALE_MS) ask();
  }, [ask, page]);
  useEffect(() => {
    const stop = new AbortController();
    const whenSeen = () => {
      if (document.visibilityState === "visible") ask();
    };
    document.addEventListener("visibilitychange", whenSeen, stop);
    addEventListener("pageshow", (event) => event.persisted && ask(), stop);
    // What this tab writes itself is not told to it.
    addEventListener("storage", ({ key }) => key === SIGNED_IN_KEY && ask(), stop);
    return () => stop.abort();
  }, [ask]);
  const isReady = data !== undefined;
  const isCustomer = Boolean(data?.customer);
  useEffect(() => {
    if (isReady) notifyTabs(isCustomer);
  }, [isReady, isCustomer]);

  const flashMessage = data?.flashMessage;
  useEffect(() => {
    if (!flashMessage) return;
    const { name, title, description, seconds } = flashMessage;
    // Whoever has verified an email needs no invitation to the waitlist.
    if (name === "email-verified") settleWaitlist("joined");
    notify(title, description, { id: name, duration: seconds && seconds * 1000 });
    fetch("/personal", { method: "POST", body: new URLSearchParams({ shown: name }), keepalive: true }).catch(() => {});
  }, [flashMessage]);

  const wish = useCallback((productId: string, isIn: boolean) => {
    setData((known) => {
      const others = known?.wishlist.filter((id) => id !== productId) ?? [];
      return known && { ...known, wishlist: isIn ? [...others, productId] : others };
    });
  }, []);

  useGuestWishlist(isCustomer);
  const known = useMemo(() => ({ ...(data ?? UNKNOWN), ready: isReady, wish }), [data, isReady, wish]);
  return <VisitorStateContext value={known}>{children}</VisitorStateContext>;
}

/** The browser's other tabs hear of it where it has changed, and ask again. */
function notifyTabs(isCustomer: boolean): void {
  try {
    localStorage.setItem(SIGNED_IN_KEY, isCustomer ? "yes" : "no");
  } catch {
    // A browser that keeps nothing asks again when its tab is looked at.
  }
}

/** What a guest has kept joins the customer's wishlist as soon as there is one. */
function useGuestWishlist(isCustomer: boolean): void {
  const { submit } = useFetcher({ key: "join-wishlist" });
  useEffect(() => {
    try {
      const guestWishlist = isCustomer && localStorage.getItem(GUEST_WISHLIST_KEY);
      if (guestWishlist) void submit({ guestWishlist }, { method: "post", action: "/wishlist/join" });
    } catch {
      // A browser that keeps nothing has kept no wishlist.
    }
  }, [isCustomer, submit]);
}
