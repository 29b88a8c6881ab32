import { X } from "lucide-react";
import { useEffect, type ComponentProps, type RefObject } from "react";

type DialogProps = ComponentProps<"dialog"> & {
  ref: RefObject<HTMLDialogElement | null>;
  /** For a dialog that is rendered when it is wanted. */
  opensOnMount?: boolean;
};

/** A modal dialog with a name. Escape closes it, and so does a press beside it. */
export function Dialog({ opensOnMount, ...props }: DialogProps) {
  const { ref } = props;
  useEffect(() => {
    if (opensOnMount && !ref.current?.open) ref.current?.showModal();
  }, [opensOnMount, ref]);
  return (
    <dialog
      closedby="any"
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) currentTarget.close();
      }}
      {...props}
    />
  );
}

type CloseButtonProps = { label: string; className: string; type?: "button" | "submit" };

/** Closes the dialog that it stands in; in a form of the method `dialog`, a `submit` does so without JavaScript. */
export function CloseButton({ label, className, type = "button" }: CloseButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      onClick={({ currentTarget }) => currentTarget.closest("dialog")?.close()}
      className={`icon-button ${className}`}
    >
      <X size={24} strokeWidth={1.75} aria-hidden />
    </button>
  );
}
