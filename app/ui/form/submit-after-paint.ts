import type { SubmitEvent } from "react";
import { afterPaint } from "../overlay/after-paint.ts";

const waiting = new WeakSet<HTMLFormElement>();

/** For a form whose check takes longer than a press should: its button is seen pressed first (`onSubmitCapture`). */
export function submitAfterPaint(event: SubmitEvent<HTMLFormElement>): void {
  const form = event.currentTarget;
  const { submitter } = event.nativeEvent;
  // A submitter with a name is not a press: the form's fields are checked by such.
  if (!submitter || submitter.hasAttribute("name") || waiting.delete(form)) return;
  event.preventDefault();
  event.stopPropagation();
  afterPaint(() => {
    if (!form.isConnected) return;
    waiting.add(form);
    form.requestSubmit(submitter);
  });
}
