import { useEffect, type ComponentProps, type MouseEvent, type RefObject, type SubmitEvent } from "react";
import { afterPaint } from "./after-paint.ts";

type DialogProps = ComponentProps<"dialog"> & {
  ref: RefObject<HTMLDialogElement | null>;
  /** For a dialog that is rendered when it is wanted. */
  opensOnMount?: boolean;
};

/** Opens a dialog for a press. */
export const openDialog = ({ current }: DialogProps["ref"]) =>
  afterPaint(() => {
    if (current?.isConnected && !current.open) current.showModal();
  });

type DialogButtonProps = ComponentProps<"button"> & { dialog: DialogProps["ref"]; opens: string };

/** Opens the dialog with the id `opens`. Newer browsers do so by its `command`, even without JavaScript. */
export function DialogButton({ dialog, opens, ...props }: DialogButtonProps) {
  const open = (event: MouseEvent) => {
    event.preventDefault();
    openDialog(dialog);
  };
  return <button type="button" {...props} {...{ command: "show-modal", commandfor: opens }} onClick={open} />;
}

/** A modal dialog. Escape closes it, and so does a press beside it. */
export function Dialog({ opensOnMount, ...props }: DialogProps) {
  const { ref } = props;
  useEffect(() => {
    if (opensOnMount) ref.current?.showModal();
  }, [opensOnMount, ref]);
  const closeBy = (event: SubmitEvent<HTMLElement>) => {
    if (event.target.getAttribute("method") !== "dialog") return;
    event.preventDefault();
    afterPaint(() => ref.current?.close());
  };
  return (
    <dialog
      closedby="any"
      onSubmit={closeBy}
      onClick={({ target }) => {
        if (target === ref.current) ref.current.close();
      }}
      {...props}
    />
  );
}
