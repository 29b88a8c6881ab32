/** Toasts come in with their library, which loads when the first one is shown. */
type Options = { duration?: number };

async function show(kind: "message" | "error", title: string, description?: string, options?: Options) {
  const { showToast } = await import("./toaster.tsx");
  showToast(kind, title, description, options);
}

/** A short word that something went as wished. */
export function notify(title: string, description?: string, options?: Options): void {
  void show("message", title, description, options);
}

/** A short word that something failed: 'Error' and why. */
export function notifyError(description: string, title = "Error"): void {
  void show("error", title, description);
}
