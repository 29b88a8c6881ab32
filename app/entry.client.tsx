/** Brings a document to life. */
import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

// Evaluating React and beginning with the page are each a task of their own.
await new Promise<void>((done) => setTimeout(done));
startTransition(() => {
  hydrateRoot(document, <HydratedRouter />);
});
