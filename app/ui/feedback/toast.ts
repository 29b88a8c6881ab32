/** Toasts. The library loads with the first one. */
import type { ToastOptions } from "./toaster.tsx";

const PLAIN_MS = 6_000;

async function show(kind: "message" | "error", title: string, description?: string, options?: ToastOptions) {
  try {
    const { showToast } = await import("./toaster.tsx");
    showToast(kind, title, description, options);
  } catch {
    showPlain([title, description].filter(Boolean).join(". "), options?.duration);
  }
}

/** Fallback if the library cannot load: offline, or the shop was updated meanwhile. */
function showPlain(text: string, duration = PLAIN_MS): void {
  const line = document.createElement("p");
  line.role = "alert";
  line.className = "fixed inset-x-4 top-20 z-50 mx-auto max-w-md rounded-card bg-ink px-5 py-4 text-paper";
  (document.querySelector("dialog:modal") ?? document.body).append(line);
  line.textContent = text;
  setTimeout(() => line.remove(), duration);
}

export function notify(title: string, description?: string, options?: ToastOptions): void {
  void show("message", title, description, options);
}

export function notifyError(description: string, title = "Error", options?: ToastOptions): void {
  void show("error", title, description, options);
}

/** For a refusal that a sign-in remedies. */
export function notifySignedOut(description: string): void {
  const to = `/auth?redirect=${encodeURIComponent(location.pathname + location.search)}`;
  notify("Error", description, { link: { to, text: "Sign In" } });
}
