import type { SubmitEvent } from "react";
import { afterPaint } from "../overlay/after-paint.ts";

/** Those whose press is not yet seen, and those that are sent now. */
const pressed = new WeakSet<HTMLFormElement>();
const sent = new WeakSet<HTMLFormElement>();

/**
 * For a form that takes longer to check or to send than a press should: its button is seen pressed first
 * (`onSubmitCapture`). What is pressed again meanwhile is one press.
 */
export function submitAfterPaint(event: SubmitEvent<HTMLFormElement>): void {
  const form = event.currentTarget;
  const { submitter } = event.nativeEvent;
  // A submitter with a name is not a press: the form's fields are checked by such.
  if (!submitter || submitter.hasAttribute("name") || sent.delete(form)) return;
  event.preventDefault();
  event.stopPropagation();
  if (pressed.has(form)) return;
  pressed.add(form);
  afterPaint(() => {
    pressed.delete(form);
    if (!form.isConnected) return;
    sent.add(form);
    form.requestSubmit(submitter);
  });
}
