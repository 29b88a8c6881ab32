import { createRoot } from "react-dom/client";
import { Toaster, toast } from "sonner";

/** Of two with one id only the later is shown. */
export type ToastOptions = { duration?: number; id?: string };

let mounted: Promise<void> | undefined;
const host = document.createElement("div");

/** Into the open dialog, if there is one: whatever is outside it can neither be seen over it nor heard. */
function place(): void {
  const dialog = document.querySelector("dialog:modal");
  (dialog ?? document.body).append(host);
  dialog?.addEventListener("close", () => document.body.append(host), { once: true });
}

function mount(): Promise<void> {
  return (mounted ??= new Promise((ready) => {
    // Where neither the cart icon nor a buy button lies under it: on phones the buy bar is at the bottom.
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
  options?: ToastOptions,
): void {
  place();
  void mount().then(() => toast[kind](title, { description, ...options }));
}
