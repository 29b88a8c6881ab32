import { useEffect, type ComponentProps, type RefObject } from "react";

type DialogProps = ComponentProps<"dialog"> & {
  ref: RefObject<HTMLDialogElement | null>;
  /** Opens on mount, for a dialog rendered on demand. */
  opensOnMount?: boolean;
};

type DialogButtonProps = ComponentProps<"button"> & { opens: string };

/** Opens the dialog with the id `opens`: by the command attribute, or by the handler in older browsers. */
export function DialogButton({ opens, ...props }: DialogButtonProps) {
  const open = () => {
    if ("command" in HTMLButtonElement.prototype) return;
    document.querySelector<HTMLDialogElement>(`dialog#${opens}`)?.showModal();
  };
  return <button type="button" {...props} {...{ command: "show-modal", commandfor: opens }} onClick={open} />;
}

/** A modal dialog, closed by Escape or a press outside. */
export function Dialog({ opensOnMount, ...props }: DialogProps) {
  const { ref } = props;
  useEffect(() => {
    if (opensOnMount) ref.current?.showModal();
  }, [opensOnMount, ref]);
  return (
    <dialog
      closedby="any"
      onClick={({ target }) => {
        if (target === ref.current) ref.current.close();
      }}
      {...props}
    />
  );
}
