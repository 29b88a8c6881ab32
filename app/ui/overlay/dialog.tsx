import { useEffect, type ComponentProps, type RefObject } from "react";

type DialogProps = ComponentProps<"dialog"> & {
  ref: RefObject<HTMLDialogElement | null>;
  /** For a dialog that is rendered when it is wanted. */
  opensOnMount?: boolean;
};

/** A modal dialog. Escape closes it, and so does a press beside it. */
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
