import type { CSSProperties } from "react";
import { createRoot } from "react-dom/client";
import { Toaster, toast } from "sonner";
import { Picture } from "#app/ui/product/picture.tsx";

type Target = { to: string; text: string };

/** Toasts with the same id replace each other. */
export type ToastOptions = {
  duration?: number;
  id?: string;
  link?: Target;
  /** Second way on, beside the link of a product. */
  next?: Target;
  /** The product that the toast is about, and what it changes. */
  product?: { name: string; thumbnail: string | null; note?: string };
};

/** Duration of a toast with a link, which takes longer to reach. */
const LINK_MS = 10_000;

const WIDTH = "min(460px, 100vw - 32px)";
/** A toast at the bottom of a phone stays above the buy bar, which may slide in below it. */
const BUY_BAR = "calc(76px + max(12px, env(safe-area-inset-bottom)))";
/** Height of a toast with a product, and its distance from the edge. */
const TOAST_PX = 252;
const HEADER_PX = 64;
const PHONE = "(max-width: 600px)";

let mounted: Promise<void> | undefined;
const host = document.createElement("div");

/** Toasts move into an open modal dialog, which makes the rest of the page inert. */
function place(): void {
  const dialog = document.querySelector("dialog:modal");
  (dialog ?? document.body).append(host);
  dialog?.addEventListener("close", () => document.body.append(host), { once: true });
}

function mount(): Promise<void> {
  return (mounted ??= new Promise((ready) => {
    createRoot(host).render(
      <Toaster
        position="top-center"
        offset={{ top: 12 }}
        mobileOffset={{ top: 76, bottom: BUY_BAR, left: 16, right: 16 }}
        icons={{ error: null }}
        style={{ "--width": WIDTH } as CSSProperties}
        containerAriaLabel="Notifications"
        toastOptions={{
          unstyled: true,
          classNames: {
            // The library hides the words of covered toasts only in its own style.
            toast:
              "font-sans flex w-(--width) items-start gap-4 rounded-card bg-ink px-5 py-4 text-paper shadow-lg " +
              "*:transition-opacity data-[expanded=false]:data-[front=false]:*:opacity-0 data-[expanded=false]:data-[front=false]:overflow-hidden",
            title: "font-semibold",
            description: "mt-0.5 text-sm text-paper/90",
            error: "!bg-error !text-white",
            icon: "w-16 shrink-0",
          },
        }}
      />,
    );
    setTimeout(ready, 0);
  }));
}

/**
 * Toasts open over the navigation, below the header on phones. There they would hide the price and the pictures while
 * the buy button is in view, so they open at the bottom then.
 */
function positionOf(): "top-center" | "bottom-center" {
  const button = document.querySelector("form[id^='add-panel-'] [type=submit]")?.getBoundingClientRect();
  const hasRoomBelow = button && button.bottom > HEADER_PX && button.bottom < innerHeight - TOAST_PX;
  return matchMedia(PHONE).matches && hasRoomBelow ? "bottom-center" : "top-center";
}

export function showToast(
  kind: "message" | "error",
  title: string,
  description?: string,
  { link, next, product, duration = link && !product ? LINK_MS : undefined, id }: ToastOptions = {},
): void {
  place();
  const anchor = link && link.to !== location.pathname && (
    <a
      href={link.to}
      className={
        product
          ? "button min-h-11 bg-paper px-5 text-[15px] text-ink outline-paper hover:bg-white"
          : "-my-2.5 ml-auto flex min-h-11 w-fit items-center font-semibold whitespace-nowrap underline underline-offset-4"
      }
    >
      {link.text}
    </a>
  );
  const options = { duration, id, position: positionOf() };
  const show = () =>
    product
      ? toast[kind](title, {
          ...options,
          icon: (
            <Picture
              name={product.thumbnail ?? ""}
              alt=""
              sizes="64px"
              priority
              imgClassName="aspect-square w-full rounded-[10px] object-cover"
            />
          ),
          description: (
            <>
              <span>{description}</span>
              <span className="mt-1.5 block text-base font-medium text-paper">{product.name}</span>
              {product.note && <span className="block">{product.note}</span>}
              <span className="mt-3 flex items-center gap-4 text-[15px] font-semibold text-paper empty:hidden">
                {anchor}
                {next && next.to !== location.pathname && (
                  <a href={next.to} className="flex min-h-11 items-center underline underline-offset-4">
                    {next.text}
                  </a>
                )}
              </span>
            </>
          ),
        })
      : toast[kind](title, { ...options, description, action: anchor });
  void mount().then(show);
}
