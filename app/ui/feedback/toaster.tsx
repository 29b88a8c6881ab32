import { createRoot } from "react-dom/client";
import { Toaster, toast } from "sonner";

/** Toasts with the same id replace each other. */
export type ToastOptions = { duration?: number; id?: string; link?: { to: string; text: string } };

/** Duration of a toast with a link, which takes longer to reach. */
const LINK_MS = 10_000;

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
    // Toasts stay clear of the cart icon and, on phones, of the buy bar at the bottom.
    const onPhone = matchMedia("(max-width: 640px)").matches;
    createRoot(host).render(
      <Toaster
        position={onPhone ? "top-center" : "bottom-left"}
        offset={{ bottom: 24, left: 24 }}
        mobileOffset={{ top: 76, left: 16, right: 16 }}
        containerAriaLabel="Notifications"
        toastOptions={{
          unstyled: true,
          classNames: {
            toast:
              "font-sans flex w-[min(360px,calc(100vw-32px))] items-start gap-3 rounded-card bg-ink px-5 py-4 text-paper shadow-lg",
            title: "font-semibold",
            description: "mt-0.5 text-sm text-paper/90",
            error: "!bg-error !text-white",
            icon: "hidden",
          },
        }}
      />,
    );
    setTimeout(ready, 0);
  }));
}

export function showToast(
  kind: "message" | "error",
  title: string,
  description?: string,
  { link, duration = link && LINK_MS, id }: ToastOptions = {},
): void {
  place();
  const action = link && (
    <a href={link.to} className="-my-2.5 ml-auto flex min-h-11 items-center font-semibold whitespace-nowrap underline">
      {link.text}
    </a>
  );
  void mount().then(() => toast[kind](title, { description, duration, id, action }));
}
